/** Measures how much depth streamed books still hold one latency after a rise on which nothing was bought. */
import { sizeWithin } from '@dutchbook/engine/book/walk.ts';
import { isStreamed } from '@dutchbook/engine/desk/quote.ts';
import { shownDepth } from '@dutchbook/engine/order/survival.ts';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import type { NoteShown } from '../../market/prices/record-rise.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { forgetShown, LATENCY_MS, recordShown, type ShownAtRise } from './store.ts';

/** A process that dies loses unwritten samples; the recordings still have them. */
const WRITE_EVERY_MS = 10_000;
const WAITING_MAX = 5000;

export type WatchedDepth = { noteShown: NoteShown; stop: () => Promise<void> };

export function watchShownDepth(
  { clock, db, timers, log }: Pick<Runtime, 'clock' | 'db' | 'timers' | 'log'>,
  quotes: Pick<Quotes, 'current'>,
): WatchedDepth {
  const failures = openFailureLog(log, 'warn', 'depth that books still held not written, tried again');
  let unwritten: ShownAtRise[] = [];
  const waiting = new Set<() => void>();

  const noteShown: NoteShown = (rise, positions, targetPrice) => {
    const quoted = quotes.current(positions);
    const shown = quoted.every(isStreamed) ? shownDepth(quoted, targetPrice) : [];
    if (shown.length === 0) return;
    const stop = timers.after(LATENCY_MS, () => {
      waiting.delete(stop);
      const later = quotes.current(positions);
      for (const { tokenId, order } of shown) {
        const quote = later.find((each) => each.tokenId === tokenId);
        // A book that the stream has lost proves nothing.
        if (quote?.book === undefined || !isStreamed(quote) || unwritten.length >= WAITING_MAX) continue;
        unwritten.push({ ...rise, tokenId, order: { ...order, met: sizeWithin(quote.book.asks, order.limit, 'buy') } });
      }
    });
    waiting.add(stop);
  };

  async function write(): Promise<void> {
    const written = unwritten;
    unwritten = [];
    try {
      await recordShown(db, written);
      await forgetShown(db, clock.now());
      failures.succeeded();
    } catch (error) {
      unwritten = [...written, ...unwritten].slice(0, WAITING_MAX);
      failures.failed(error);
    }
  }

  const stopWriting = timers.every(WRITE_EVERY_MS, write);
  return {
    noteShown,
    stop: async () => {
      stopWriting();
      for (const stop of waiting) stop();
      await write();
    },
  };
}
