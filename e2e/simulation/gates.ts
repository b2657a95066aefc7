/** What may be placed at all: nothing while disarmed, and nothing at prices that were never true. */
import { saleByItself } from './exits/checks-of-splits.ts';
import type { AskHistory } from './market-scene.ts';
import type { Network, Sent } from './network.ts';
import type { Stored, StoredBatch, StoredOrder } from './truth.ts';
import { Violation } from './violation.ts';

/** How long a feed that has gone silent may stay unnoticed, and its books be bought at. */
const BOOK_AGE_MAX_MS = 35_000;

/** How soon after disarming has committed nothing leaves any more. */
const DISARM_WITHIN_MS = 250;

/** Within this time a stopped batch sends nothing more. */
const STOP_WITHIN_MS = 250;

const SALT = /"salt":"?(\d+)/g;

/** What was bought may still be sold. */
const BUYS = '"side":"BUY"';

/** Prices that anything is bought at, by the default settings. */
const LOWEST = 100_000;
const HIGHEST = 900_000;

type Bought = Pick<StoredOrder, 'token_id' | 'price'>;

export class Gates {
  readonly #asks: AskHistory;
  readonly #network: Network;
  readonly #disarmedAt = new Map<string, number>();
  /** Salts of what was seen to be marked as sent while trading was armed: its time is replaced by that of its post. */
  readonly #markedArmed = new Set<string>();
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
    this.#nothingIsSoldByItselfDisarmed(stored);
    this.#nothingWasMarkedDisarmed(stored, buys);
    this.#nothingLeftOfWhatWasStopped(stored, buys);
    const known = new Set(before?.batches.map(({ id }) => id));
    for (const batch of stored.batches) {
      if (known.has(batch.id)) continue;
      if (batch.target_profit <= 0) throw new Violation('gate', `batch ${batch.id} was to make ${batch.target_profit}`);
      for (const bought of this.#boughtBy(batch, stored)) this.#wasTrue(bought, batch);
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
    if (armed !== false) {
      for (const { salt, sent_at: at } of attempts) if (at !== null) this.#markedArmed.add(salt);
      return;
    }
    const markedAt = new Map(attempts.map(({ salt, sent_at: at }) => [salt, at === null ? 0 : Date.parse(at)]));
    for (const { owner, body } of buys) {
      for (const [, salt = ''] of body.matchAll(SALT)) {
        const afterMs = (markedAt.get(salt) ?? 0) - this.#changedAt;
        if (afterMs > 0 && !this.#markedArmed.has(salt))
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

  /** What dollars were split into: other sales were requested by an operator. */
  #nothingIsSoldByItselfDisarmed(stored: Stored): void {
    if (stored.armed !== false) return;
    for (const sale of stored.batches.flatMap((batch) => saleByItself(stored, batch) ?? [])) {
      const afterMs = Date.parse(sale.created_at) - this.#changedAt;
      if (afterMs > 0)
        throw new Violation('gate', `order ${sale.id} sells by itself ${afterMs} ms after trading was disarmed`);
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

  /** What dollars are split into is to be sold at no less than what stands against it could be bought at. */
  #boughtBy(batch: StoredBatch, { orders, submissions }: Stored): Bought[] {
    if (batch.split_step_id === null)
      return orders.filter(({ side, batch_id }) => side === 'buy' && batch_id === batch.id);
    const split = submissions.flatMap(({ steps }) => steps).find(({ id }) => id === batch.split_step_id);
    return (split?.handed_out ?? []).map(({ tokenId, split: sold }) => ({
      token_id: this.#asks.otherOf(tokenId),
      price: 1e6 - (sold?.limit ?? 0),
    }));
  }

  #wasTrue(order: Bought, batch: StoredBatch): void {
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
