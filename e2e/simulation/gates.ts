/** What may be placed at all: nothing while disarmed, and nothing at prices that were never true. */
import type { AskHistory } from './market-scene.ts';
import type { Network, Sent } from './network.ts';
import type { Stored } from './truth.ts';
import { Violation } from './violation.ts';

/** How long a feed that has gone silent may stay unnoticed, and its books be bought at. */
const BOOK_AGE_MAX_MS = 35_000;

/** How soon after disarming has committed nothing leaves any more. */
const DISARM_WITHIN_MS = 250;

/** The same of a batch whose end was asked for. */
const STOP_WITHIN_MS = 250;

const SALT = /"salt":"?(\d+)/g;

/** What was bought may still be sold. */
const BUYS = '"side":"BUY"';

/** Prices that anything is bought at, by the default settings. */
const LOWEST = 100_000;
const HIGHEST = 900_000;

export class Gates {
  readonly #asks: AskHistory;
  readonly #network: Network;
  readonly #disarmedAt = new Map<string, number>();
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

  /** Somebody wants it at this process, which obeys at once even where that cannot be stored. */
  armingAsked(owner: string, isArmed: boolean, at: number): void {
    if (isArmed) this.#disarmedAt.clear();
    else this.#disarmedAt.set(owner, at);
  }

  /** @throws Violation */
  check(stored: Stored, before: Stored | null): void {
    const fresh = this.#network.sent.slice(this.#seen);
    this.#seen = this.#network.sent.length;
    const buys = fresh.filter(
      ({ method, path, body }) => method === 'POST' && path.startsWith('/order') && body.includes(BUYS),
    );
    const submitted = fresh.filter(
      ({ path, body }) => path.startsWith('/relayer/submit') || body.includes('eth_sendRawTransaction'),
    );
    this.#nothingLeftDisarmed(stored, [...buys, ...submitted]);
    this.#nothingIsMarkedForTheChainDisarmed(stored);
    this.#nothingWasMarkedDisarmed(stored, buys);
    this.#nothingLeftOfWhatWasStopped(stored, buys);
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

  #nothingLeftDisarmed({ armed }: Stored, buys: readonly Sent[]): void {
    const since = this.#changedAt;
    const late = armed === false ? buys.find(({ at }) => at > since + DISARM_WITHIN_MS) : undefined;
    if (late)
      throw new Violation('gate', `${late.owner} sent ${late.path} ${late.at - since} ms after trading was disarmed`);
    for (const { owner, calledAt, path } of buys) {
      const afterMs = calledAt - (this.#disarmedAt.get(owner) ?? Number.POSITIVE_INFINITY);
      if (afterMs > DISARM_WITHIN_MS)
        throw new Violation('gate', `${owner} sent ${path} ${afterMs} ms after its disarming`);
    }
  }

  /** What was marked as sent before trading was disarmed may still leave for a moment; nothing is marked after it. */
  #nothingWasMarkedDisarmed({ armed, attempts }: Stored, buys: readonly Sent[]): void {
    if (armed !== false) return;
    const markedAt = new Map(attempts.map(({ salt, sent_at: at }) => [salt, at === null ? 0 : Date.parse(at)]));
    for (const { owner, body } of buys) {
      for (const [, salt = ''] of body.matchAll(SALT)) {
        const afterMs = (markedAt.get(salt) ?? 0) - this.#changedAt;
        if (afterMs > 0)
          throw new Violation('gate', `${owner} sent what it had marked ${afterMs} ms after trading was disarmed`);
      }
    }
  }

  #nothingIsMarkedForTheChainDisarmed({ armed, submissions }: Stored): void {
    if (armed !== false) return;
    for (const { id, sent_at } of submissions) {
      const afterMs = Date.parse(sent_at ?? '') - this.#changedAt;
      if (afterMs > 0)
        throw new Violation('gate', `submission ${id} was marked as sent ${afterMs} ms after trading was disarmed`);
    }
  }

  /** A copy too is not sent of a batch whose end was asked for. */
  #nothingLeftOfWhatWasStopped({ attempts, batches }: Stored, buys: readonly Sent[]): void {
    if (buys.length === 0) return;
    const stopped = new Map(
      batches.map(({ id, cancel_requested_at: at }) => [id, at === null ? null : Date.parse(at)]),
    );
    const batchOf = new Map(attempts.map(({ salt, batch_id }) => [salt, batch_id]));
    for (const { calledAt, owner, body } of buys) {
      for (const [, salt = ''] of body.matchAll(SALT)) {
        const batchId = batchOf.get(salt) ?? '';
        const afterMs = calledAt - (stopped.get(batchId) ?? Number.POSITIVE_INFINITY);
        if (afterMs <= STOP_WITHIN_MS) continue;
        throw new Violation(
          'gate',
          `${owner} sent an order of batch ${batchId} ${afterMs} ms after its end was asked for`,
        );
      }
    }
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
