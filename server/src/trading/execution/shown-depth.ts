/** What books of the stream still hold one latency after an opportunity has risen of which nothing was bought. */
import { sizeWithin } from '@dutchbook/engine/book/walk.ts';
import { isStreamed } from '@dutchbook/engine/desk/quote.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { type SentOrder, shownDepth } from '@dutchbook/engine/order/survival.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import type { NoteShown } from '../../market/prices/record-rise.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';

/** From the trigger to the match, as a rehearsal assumes it where it has not been measured. */
const LATENCY_MS = 300;
const KEPT_MAX = 20_000;

export type WatchedDepth = {
  noteShown: NoteShown;
  /** As if each had been sent. They are those of this process since it started. */
  orders: () => readonly SentOrder[];
  stop: () => void;
};

export function watchShownDepth({ timers }: Pick<Runtime, 'timers'>, quotes: Pick<Quotes, 'current'>): WatchedDepth {
  let known: SentOrder[] = [];
  const waiting = new Set<() => void>();

  function noteShown(positions: readonly Position[], targetPrice: Price): void {
    const quoted = quotes.current(positions);
    const shown = quoted.every(isStreamed) ? shownDepth(quoted, targetPrice) : [];
    if (shown.length === 0) return;
    const stop = timers.after(LATENCY_MS, () => {
      waiting.delete(stop);
      const later = quotes.current(positions);
      for (const { tokenId, order } of shown) {
        const quote = later.find((each) => each.tokenId === tokenId);
        // Of a book that the stream has lost nothing is known.
        if (quote?.book !== undefined && isStreamed(quote))
          known.push({ ...order, met: sizeWithin(quote.book.asks, order.limit, 'buy') });
      }
      if (known.length > 2 * KEPT_MAX) known = known.slice(-KEPT_MAX);
    });
    waiting.add(stop);
  }

  return {
    noteShown,
    orders: () => known.slice(-KEPT_MAX),
    stop: () => {
      for (const stop of waiting) stop();
    },
  };
}
