/** What may be placed at all: nothing while disarmed, and nothing at prices that were never true. */
import { BASE_PATH } from '@dutchbook/exchange/adapters/kalshi/calls.ts';
import { type VenueName, venueOf, withoutVenue } from '@dutchbook/units/ids.ts';
import { saleByItself } from './exits/checks-of-splits.ts';
import type { AskHistory } from './market-scene.ts';
import type { Network, Sent } from './network.ts';
import { controlsAt, type Stored, type StoredAttempt, type StoredBatch, type StoredOrder } from './truth.ts';
import { Violation } from './violation.ts';

/** How long a feed that has gone silent may stay unnoticed, and its books be bought at. */
const BOOK_AGE_MAX_MS = 35_000;

/** How soon after disarming has committed nothing leaves any more. */
const DISARM_WITHIN_MS = 250;

/** Within this time a stopped batch sends nothing more. */
const STOP_WITHIN_MS = 250;

/** What an order has in its body alone: its salt, or its name at a venue that signs none. */
const MARK = /"(?:salt|client_order_id)":"?([\w-]+)/g;

/** What was bought may still be sold. */
const BUYS = '"side":"BUY"';

/** Prices that anything is bought at, by the default settings. */
const LOWEST = 100_000;
const HIGHEST = 900_000;

function marksIn(body: string): string[] {
  return [...body.matchAll(MARK)].map(([, mark = '']) => mark);
}

function markOf({ salt, order_hash }: Pick<StoredAttempt, 'salt' | 'order_hash'>): string {
  return salt || withoutVenue(order_hash);
}

function isDisarmed(stored: Stored, venue: VenueName): boolean {
  return controlsAt(stored, venue)?.armed === false;
}

function venueOfCall({ path }: Pick<Sent, 'path'>): VenueName {
  return path.startsWith(BASE_PATH) ? 'kalshi' : 'polymarket';
}

/** What one venue has is never asked for, or named, at the other. */
function isOfItsVenue(sent: Sent): void {
  const { path, body, owner } = sent;
  const names = venueOfCall(sent) === 'kalshi' ? HASH : PREFIX_OF_KALSHI;
  if (names.test(path) || names.test(body))
    throw new Violation('gate', `${owner} named at one venue what is of the other: ${path} ${body}`);
}

const PREFIX_OF_KALSHI = /kalshi(?::|%3A)/;
const HASH = /0x[0-9a-f]{40}/;

/** Calls that buy. At Kalshi a purchase looks as a sale of the other outcome does, and the rows tell which it is. */
function buysIn(sent: readonly Sent[], { orders, attempts }: Stored): Sent[] {
  const buys = new Set(orders.filter(({ side }) => side === 'buy').map(({ id }) => id));
  const buying = new Set(attempts.filter(({ order_id }) => buys.has(order_id)).map(markOf));
  return sent.filter(({ method, path, body }) => {
    if (method !== 'POST') return false;
    if (path.startsWith(ORDERS_AT_KALSHI)) return marksIn(body).some((mark) => buying.has(mark));
    return path.startsWith('/order') && body.includes(BUYS);
  });
}

const ORDERS_AT_KALSHI = `${BASE_PATH}/portfolio/events/orders`;

type Bought = Pick<StoredOrder, 'token_id' | 'price'>;

export class Gates {
  readonly #asks: AskHistory;
  readonly #network: Network;
  readonly #disarmedAt = new Map<string, number>();
  /** Marks of what was seen to be marked as sent while trading was armed: its time is replaced by that of its post. */
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

  /** An operator wants it at this process, which obeys at once even where that cannot be stored. */
  armingAsked(owner: string, isArmed: boolean, at: number): void {
    if (isArmed) this.#disarmedAt.clear();
    else this.#disarmedAt.set(owner, at);
  }

  /** @throws Violation */
  check(stored: Stored, before: Stored | null): void {
    const fresh = this.#network.sent.slice(this.#seen);
    this.#seen = this.#network.sent.length;
    for (const sent of fresh) isOfItsVenue(sent);
    const buys = buysIn(fresh, stored);
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

  #nothingLeftDisarmed(stored: Stored, buys: readonly Sent[]): void {
    const since = this.#changedAt;
    const late = buys.find((sent) => isDisarmed(stored, venueOfCall(sent)) && sent.at > since + DISARM_WITHIN_MS);
    if (late)
      throw new Violation('gate', `${late.owner} sent ${late.path} ${late.at - since} ms after trading was disarmed`);
    for (const { owner, calledAt, path } of buys) {
      const afterMs = calledAt - (this.#disarmedAt.get(owner) ?? Number.POSITIVE_INFINITY);
      if (afterMs > DISARM_WITHIN_MS)
        throw new Violation('gate', `${owner} sent ${path} ${afterMs} ms after its disarming`);
    }
  }

  /** What was marked as sent before trading was disarmed may still leave for a moment; nothing is marked after it. */
  #nothingWasMarkedDisarmed(stored: Stored, buys: readonly Sent[]): void {
    for (const attempt of stored.attempts)
      if (attempt.sent_at !== null && !isDisarmed(stored, venueOf(attempt.order_hash)))
        this.#markedArmed.add(markOf(attempt));
    const markedAt = new Map(
      stored.attempts.map((attempt) => [markOf(attempt), Date.parse(attempt.sent_at ?? '') || 0]),
    );
    for (const sent of buys.filter((each) => isDisarmed(stored, venueOfCall(each)))) {
      const { owner, body } = sent;
      for (const mark of marksIn(body)) {
        const afterMs = (markedAt.get(mark) ?? 0) - this.#changedAt;
        if (afterMs > 0 && !this.#markedArmed.has(mark))
          throw new Violation('gate', `${owner} sent what it had marked ${afterMs} ms after trading was disarmed`);
      }
    }
  }

  #nothingIsMarkedForTheChainDisarmed(stored: Stored): void {
    if (!isDisarmed(stored, 'polymarket')) return;
    for (const { id, sent_at } of stored.submissions) {
      const afterMs = Date.parse(sent_at ?? '') - this.#changedAt;
      if (afterMs > 0)
        throw new Violation('gate', `submission ${id} was marked as sent ${afterMs} ms after trading was disarmed`);
    }
  }

  /** What dollars were split into: other sales were requested by an operator. */
  #nothingIsSoldByItselfDisarmed(stored: Stored): void {
    if (!isDisarmed(stored, 'polymarket')) return;
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
    const batchOf = new Map(attempts.map((attempt) => [markOf(attempt), attempt.batch_id]));
    for (const { calledAt, owner, body } of buys) {
      for (const mark of marksIn(body)) {
        const batchId = batchOf.get(mark) ?? '';
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
