/**
 * How much of the depth that recorded books showed was still there when an order would have come, measured on the rises of a run as it
 * goes on: what comes later is not known yet, as live.
 */
import { sizeWithin } from '@dutchbook/engine/book/walk.ts';
import { feeCategoryOf } from '@dutchbook/engine/market/fee-category.ts';
import { maxProfitableSize } from '@dutchbook/engine/opportunity/curve.ts';
import { planPlacement } from '@dutchbook/engine/order/plan.ts';
import {
  type MeasuredSurvival,
  measureSurvival,
  NOTHING_MEASURED,
  type SentOrder,
} from '@dutchbook/engine/order/survival.ts';
import type { GateQuote } from '@dutchbook/engine/risk/context.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { SharedState } from './shared-state.ts';
import { bookOf, type VirtualBook } from './virtual-books.ts';
import type { VirtualOpportunity } from './virtual-opportunity.ts';

/** As live. */
const MEASURED_EVERY_MS = 60_000;
const KEPT_MAX = 20_000;

export class RecordedSurvival {
  readonly #shared: Pick<SharedState, 'now' | 'agenda' | 'latency' | 'lostUntil'>;
  #known: SentOrder[] = [];
  #measured = NOTHING_MEASURED;
  #measuredAt: Instant | null = null;
  #isGrown = false;

  constructor(shared: SharedState) {
    this.#shared = shared;
  }

  /** An opportunity pays: of all that does at best, what is still there one latency later? */
  note({ journaled, books }: VirtualOpportunity, quotes: readonly GateQuote[]): void {
    const { now, agenda, latency, lostUntil } = this.#shared;
    const { orders } = planPlacement(quotes, maxProfitableSize(quotes, journaled.targetPrice), journaled.targetPrice);
    const shown = orders.flatMap(({ tokenId, size, limitPrice: limit }) => {
      const quote = quotes.find((each) => each.tokenId === tokenId);
      const held = books.find((book) => book?.tokenId === tokenId);
      if (quote?.market === undefined || quote.book === undefined || held == null) return [];
      const kind = { venue: venueOf(quote.marketId), category: feeCategoryOf(quote.market) };
      const atLimit = sizeWithin(quote.book.asks, limit, 'buy');
      return [{ held, order: { ...kind, size, limit, shown: atLimit, bookAgeMs: quote.bookAgeMs ?? 0 } }];
    });
    agenda.add(instantFromMs(now + latency.measuredMs), () => {
      // Behind a hole nothing is known of what became of them.
      if (this.#shared.lostUntil === lostUntil) this.#take(shown);
    });
  }

  #take(shown: readonly { held: VirtualBook; order: Omit<SentOrder, 'met'> }[]): void {
    for (const { held, order } of shown) {
      const book = bookOf(held);
      if (book === undefined) continue;
      this.#known.push({ ...order, met: sizeWithin(book.asks, order.limit, 'buy') });
      this.#isGrown = true;
    }
    if (this.#known.length > 2 * KEPT_MAX) this.#known = this.#known.slice(-KEPT_MAX);
  }

  current(): MeasuredSurvival {
    const { now } = this.#shared;
    const isDue = this.#measuredAt === null || now - this.#measuredAt >= MEASURED_EVERY_MS;
    if (!this.#isGrown || !isDue) return this.#measured;
    this.#measured = measureSurvival(this.#known.slice(-KEPT_MAX));
    this.#measuredAt = now;
    this.#isGrown = false;
    return this.#measured;
  }
}
