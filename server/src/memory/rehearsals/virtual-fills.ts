/** What comes of the batches of a run as their orders may fill: at once, after the time that ours take, and at worst. */
import type { Level } from '@dutchbook/engine/book/level.ts';
import { type BatchOutcome, batchOutcome, type MetOrder } from '@dutchbook/engine/rehearsal/batch-outcome.ts';
import { byModel, type RunTrigger } from '@dutchbook/engine/rehearsal/compare.ts';
import {
  forgetLeft,
  noteTaken,
  stillStanding,
  type TakenShares,
  withoutTaken,
} from '@dutchbook/engine/rehearsal/standing.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { SharedState } from './shared-state.ts';
import { bookOf, type VirtualBook } from './virtual-books.ts';

/** `standing`: of the asks of the decision, what has stood ever since. `gone`: what the clips before it have taken of them. */
export type SentOrder = Pick<MetOrder, 'size' | 'limitPrice' | 'schedule'> & {
  held: VirtualBook;
  standing: Level[];
  gone: TakenShares | undefined;
};

/** `onMeasured`: it has ended, as far as the account goes. */
type SentBatch = {
  outcomes: NonNullable<RunTrigger['outcomes']>;
  targetPrice: Price;
  orders: SentOrder[];
  isMeasured: boolean;
  onMeasured: (outcome: BatchOutcome) => void;
};

export class VirtualFills {
  readonly #shared: Pick<SharedState, 'now' | 'agenda' | 'latency'>;
  readonly #sent = new Set<SentBatch>();
  readonly #taken = new Map<VirtualBook, TakenShares>();

  constructor(shared: Pick<SharedState, 'now' | 'agenda' | 'latency'>) {
    this.#shared = shared;
  }

  /** @returns what comes of it, by the current books until the others are known. */
  send(orders: SentOrder[], targetPrice: Price, onMeasured: SentBatch['onMeasured']): SentBatch['outcomes'] {
    const { now, agenda, latency } = this.#shared;
    const touch = outcomeOf(orders, targetPrice, ({ held, gone }) => withoutTaken(held.book.asks, gone));
    const batch = { outcomes: byModel(() => touch as SentBatch['outcomes']['touch']), targetPrice, orders, onMeasured };
    const sent: SentBatch = { ...batch, isMeasured: false };
    this.#sent.add(sent);
    agenda.add(instantFromMs(now + latency.measuredMs), () => this.#measure(sent));
    agenda.add(instantFromMs(now + latency.pessimisticMs), () => this.#end(sent));
    return sent.outcomes;
  }

  /** Once all changes of an instant have been made to it. */
  noteChange(held: VirtualBook): void {
    const taken = this.#taken.get(held);
    if (taken !== undefined) forgetLeft(taken, held.book.asks);
    for (const { orders } of this.#sent) {
      for (const order of orders)
        if (order.held === held) order.standing = stillStanding(order.standing, held.book.asks);
    }
  }

  /** Nothing will be known of the books for a while: what has stood until now is what orders meet. */
  endAll(): void {
    for (const sent of [...this.#sent]) this.#end(sent);
    this.#taken.clear();
  }

  #measure(sent: SentBatch): void {
    if (sent.isMeasured) return;
    sent.isMeasured = true;
    const outcome = outcomeOf(sent.orders, sent.targetPrice, ({ held, gone }) =>
      withoutTaken(bookOf(held)?.asks ?? [], gone),
    );
    sent.outcomes.measured = outcome;
    sent.onMeasured(outcome);
  }

  #end(sent: SentBatch): void {
    if (!this.#sent.delete(sent)) return;
    this.#measure(sent);
    const { orders, targetPrice } = sent;
    const outcome = outcomeOf(orders, targetPrice, ({ held, standing }) =>
      withoutTaken(standing, this.#taken.get(held)),
    );
    sent.outcomes.pessimistic = outcome;
    for (const [place, { held }] of orders.entries()) {
      const taken = this.#taken.get(held) ?? new Map();
      this.#taken.set(held, taken);
      noteTaken(taken, outcome.taken[place] ?? []);
    }
  }
}

function outcomeOf(
  orders: readonly SentOrder[],
  targetPrice: Price,
  asksOf: (order: SentOrder) => readonly Level[],
): BatchOutcome {
  const met = orders.map((order) => ({ ...order, asks: asksOf(order), bids: bookOf(order.held)?.bids ?? [] }));
  return batchOutcome(met, targetPrice);
}
