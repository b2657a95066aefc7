/** What may be placed at all: nothing while disarmed, and nothing at prices that were never true. */
import type { AskHistory } from './market-scene.ts';
import type { Network } from './network.ts';
import type { Stored } from './truth.ts';
import { Violation } from './violation.ts';

/** How long a feed that has gone silent may stay unnoticed, and its books be bought at. */
const BOOK_AGE_MAX_MS = 35_000;

/** How soon after disarming has committed nothing leaves any more. */
const DISARM_WITHIN_MS = 250;

/** What was bought may still be sold. */
const BUYS = '"side":"BUY"';

/** Prices that anything is bought at, by the default settings. */
const LOWEST = 100_000;
const HIGHEST = 900_000;

export class Gates {
  readonly #asks: AskHistory;
  readonly #network: Network;
  #changedAt = 0;
  #seen = 0;

  constructor(asks: AskHistory, network: Network) {
    this.#asks = asks;
    this.#network = network;
  }

  /** It was committed that trading is armed, or that it is not. */
  armingChanged(at: number): void {
    this.#changedAt = at;
  }

  /** @throws Violation */
  check(stored: Stored, before: Stored | null): void {
    this.#nothingLeftDisarmed(stored);
    const known = new Set(before?.batches.map(({ id }) => id));
    for (const batch of stored.batches) {
      if (known.has(batch.id)) continue;
      if (batch.target_profit <= 0) throw new Violation('gate', `batch ${batch.id} was to make ${batch.target_profit}`);
      for (const order of stored.orders.filter(({ batch_id }) => batch_id === batch.id)) this.#wasTrue(order, batch);
    }
    const active = stored.batches.filter(({ status }) => ['pending', 'processing', 'retry_pending'].includes(status));
    if (new Set(active.map((batch) => batch.opportunity_id)).size < active.length) {
      throw new Violation('gate', 'an opportunity has two active batches');
    }
  }

  #nothingLeftDisarmed({ armed }: Stored): void {
    const fresh = this.#network.sent.slice(this.#seen);
    this.#seen = this.#network.sent.length;
    const since = this.#changedAt;
    if (armed !== false) return;
    const late = fresh.find(
      ({ at, method, path, body }) =>
        method === 'POST' && path.startsWith('/order') && body.includes(BUYS) && at > since + DISARM_WITHIN_MS,
    );
    if (late) throw new Violation('gate', `${late.owner} sent orders ${late.at - since} ms after trading was disarmed`);
  }

  #wasTrue(order: Stored['orders'][number], batch: Stored['batches'][number]): void {
    if (order.side === 'sell') return;
    const at = Date.parse(batch.created_at);
    const lowest = this.#asks.lowestSince(order.token_id, at - BOOK_AGE_MAX_MS, at);
    if (order.price < lowest) {
      throw new Violation(
        'gate',
        `${order.token_id} was bought at ${order.price} when ${lowest} was the best it had been`,
      );
    }
    if (order.price < LOWEST || order.price > HIGHEST) {
      throw new Violation('gate', `${order.token_id} was bought at ${order.price}`);
    }
  }
}
