import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { complement, type Price } from '@dutchbook/units/price.ts';
import { minShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { notional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { hashId, uuidOf } from '../../../catalogue/ids.ts';
import type { IncomingOrder } from '../../../matching/order.ts';
import { planFills } from '../../../matching/plan.ts';
import { isStanding, type OrderChange, type OrderRecord } from '../../../matching-engine/records.ts';
import { feeTermsOf, type MarketOfVenue, noOf, yesOf } from '../catalogue/listing.ts';
import { type Accumulator, makerRate, takerRate, tradeFee } from '../fees.ts';
import type { Member } from '../members.ts';
import type { KalshiVenue } from '../venue.ts';

export type OrderStatus = 'resting' | 'canceled' | 'executed';

/** Why an order changed without its owner, in the venue's words. */
export type UpdateReason =
  | 'SelfTradeCancel'
  | 'ExpiryCancel'
  | 'CloseCancel'
  | 'HaltCancel'
  | 'Trade'
  | 'PostOnlyCrossCancel'
  | 'ReduceOnlyCancel'
  | null;

export interface VenueOrder {
  readonly id: string;
  readonly clientId: string | null;
  readonly member: Member;
  readonly subaccount: number;
  readonly pocket: string;
  readonly ticker: string;
  /** Always of YES: a bid is for it, an ask against it. */
  readonly side: 'bid' | 'ask';
  readonly price: Price;
  readonly count: Shares;
  readonly expiresAt: Instant | null;
  readonly cancelsOnPause: boolean;
  readonly selfTrade: SelfTrade;
  readonly groupId: string | null;
  readonly createdAt: Instant;
  readonly accumulator: Accumulator;
  readonly asTaker: { cost: Usd; fees: Usd };
  readonly asMaker: { cost: Usd; fees: Usd };
  updatedAt: Instant;
  filled: Shares;
  status: OrderStatus;
  reason: UpdateReason;
}

export type SelfTrade = 'taker_at_cross' | 'maker';

/** An order whose form, price and market have been looked at. */
export interface NewOrder {
  readonly member: Member;
  readonly subaccount: number;
  readonly market: MarketOfVenue;
  readonly clientId: string | null;
  readonly side: 'bid' | 'ask';
  readonly price: Price;
  readonly count: Shares;
  readonly timeInForce: 'fill_or_kill' | 'immediate_or_cancel' | 'good_till_canceled';
  readonly selfTrade: SelfTrade;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly cancelsOnPause: boolean;
  readonly expiresAt: Instant | null;
  readonly groupId: string | null;
}

export type Refusal =
  | 'order_group_triggered'
  | 'order_already_exists'
  | 'fill_or_kill_insufficient_resting_volume'
  | 'trading_is_paused'
  /** Of a venue that is mirrored, which this one answers as a pause. */
  | 'book_out_of_reach'
  | 'exchange_is_paused'
  | 'insufficient_balance';

export type Placed = { readonly order: VenueOrder } | { readonly refused: Refusal };

/** Cents of a dollar that a resting order may cost more than its fee, by rounding each of its fills up. */
const ROUNDING_HELD = 10_000;

/** How long a cancel of everything goes on. */
const SWEEP_MS = 60_000;

/** The orders of all members. */
export class Orders {
  /** Called for each change of an order. */
  readonly changed: ((order: VenueOrder) => void)[] = [];
  /** Called for each name that is spent. */
  onSpent: (member: Member, clientId: string) => void = () => {};
  readonly #venue: KalshiVenue;
  readonly #byId = new Map<string, VenueOrder>();
  readonly #resting = new Set<VenueOrder>();
  /** By member; a name is spent by whatever was sent under it. */
  readonly #spentNames = new Map<string, Set<string>>();
  /** By member: until when a cancel of everything takes new orders with it. */
  readonly #sweptUntil = new Map<string, Instant>();
  #count = 0;
  /** The one that the matching engine is at. */
  #placing: string | null = null;

  constructor(venue: KalshiVenue) {
    this.#venue = venue;
    venue.engine.announcer.listen({ orderChanged: (order, change) => this.#follow(order, change) });
  }

  byId(id: string): VenueOrder | undefined {
    return this.#byId.get(id);
  }

  of(member: Member): VenueOrder[] {
    return [...this.#byId.values()].filter((order) => order.member === member);
  }

  all(): VenueOrder[] {
    return [...this.#byId.values()];
  }

  /** Takes back an order from a journal; its ids are not drawn again. */
  restore(order: VenueOrder): void {
    this.#keep(order);
    this.#count += 1;
  }

  resting(): VenueOrder[] {
    return [...this.#resting];
  }

  place(wanted: NewOrder): Placed {
    const { member, market, clientId } = wanted;
    if (clientId !== null && !this.spend(member, clientId)) return { refused: 'order_already_exists' };
    if (this.#isInTriggeredGroup(wanted)) return { refused: 'order_group_triggered' };
    const shard = this.#venue.states.shard(market.event.series.shard);
    if (!shard.exchangeActive || !shard.tradingActive) return { refused: 'exchange_is_paused' };
    if (this.#venue.states.of(market).status !== 'active') return { refused: 'trading_is_paused' };
    if (!this.#venue.matched(market).hasBooks) return { refused: 'book_out_of_reach' };
    const order = this.#draft(wanted);
    if (order.count === SHARES_ZERO) return { order: this.#end(order, 'ReduceOnlyCancel') };
    const cut = this.#withoutOwn(order, wanted);
    if (!this.#isAffordable(order, wanted)) return { refused: 'insufficient_balance' };
    const placed = this.#match(order, wanted, cut);
    if ((this.#sweptUntil.get(member.id) ?? 0) > order.createdAt) this.cancel(order);
    return placed;
  }

  #isInTriggeredGroup({ groupId }: NewOrder): boolean {
    return groupId !== null && this.#venue.groups.byId(groupId)?.isTriggered !== false;
  }

  /** Takes what is left of an order off the book; how much that was, null where nothing stood. */
  cancel(order: VenueOrder, reason: UpdateReason = null): Shares | null {
    if (order.status !== 'resting') return null;
    const left = (order.count - order.filled) as Shares;
    order.reason = reason;
    return this.#venue.engine.cancel(order.id) ? left : null;
  }

  /** Cancels everything that rests, and whatever comes to rest within the minute. */
  cancelAll(member: Member, subaccount: number | undefined): void {
    this.#sweptUntil.set(member.id, instantFromMs(this.#venue.engine.clock.now() + SWEEP_MS));
    for (const order of this.of(member))
      if (subaccount === undefined || order.subaccount === subaccount) this.cancel(order);
  }

  /** What of a pocket's cash is free: neither held for resting orders nor for what these may cost in fees. */
  freeCash(pocket: string): Usd {
    const held = this.resting()
      .filter((order) => order.pocket === pocket)
      .reduce((sum, order) => sum + this.#feeHeld(order), 0);
    return (this.#venue.engine.balances.freeCash(pocket) - held) as Usd;
  }

  /** Whether the name was free. */
  spend(member: Member, clientId: string): boolean {
    const spent = this.#spentNames.get(member.id) ?? new Set();
    this.#spentNames.set(member.id, spent);
    if (spent.has(clientId)) return false;
    spent.add(clientId);
    this.onSpent(member, clientId);
    return true;
  }

  #draft(wanted: NewOrder): VenueOrder {
    const { member, subaccount, market, side, price, clientId, expiresAt, selfTrade, groupId } = wanted;
    const now = this.#venue.engine.clock.now();
    const pocket = member.pocket(subaccount, market.event.series.shard);
    this.#count += 1;
    return {
      id: uuidOf(hashId('order', now, this.#count)),
      ...{ clientId, member, subaccount, pocket, ticker: market.ticker, side, price, expiresAt, selfTrade, groupId },
      count: wanted.reduceOnly ? minShares(wanted.count, this.#reducible(pocket, market, side)) : wanted.count,
      cancelsOnPause: wanted.cancelsOnPause,
      createdAt: now,
      accumulator: { micro: 0 },
      asTaker: { cost: USD_ZERO, fees: USD_ZERO },
      asMaker: { cost: USD_ZERO, fees: USD_ZERO },
      updatedAt: now,
      filled: SHARES_ZERO,
      status: 'resting',
      reason: null,
    };
  }

  #reducible(pocket: string, { ticker }: MarketOfVenue, side: 'bid' | 'ask'): Shares {
    return this.#venue.engine.balances.freeTokens(pocket, side === 'ask' ? yesOf(ticker) : noOf(ticker));
  }

  /**
   * Sees to it that a member does not trade with itself: cancels its resting orders that the new one would meet, or says how many
   * shares come before the first of them.
   */
  #withoutOwn(order: VenueOrder, { market, selfTrade }: NewOrder): Shares | null {
    const { book } = this.#venue.matched(market);
    for (;;) {
      let before = SHARES_ZERO;
      const own = planFills(book, this.#incoming(order, order.count)).fills.find(({ maker, fill }) => {
        if (this.#byId.get(maker.id)?.member === order.member) return true;
        before = (before + fill.shares) as Shares;
        return false;
      });
      if (own === undefined) return null;
      if (selfTrade === 'taker_at_cross') return before;
      const resting = this.#byId.get(own.maker.id);
      if (resting !== undefined) this.cancel(resting, 'SelfTradeCancel');
    }
  }

  #incoming(order: VenueOrder, shares: Shares): IncomingOrder {
    const { id, pocket, side, outcome, limit } = { ...order, ...this.#inEngine(order) };
    return {
      ...{ id, account: pocket, side, outcome, limit, remainder: 'dies', postOnly: false },
      quantity: { kind: 'shares', shares },
      takerFeeRate: 0 as IncomingOrder['takerFeeRate'],
    };
  }

  /** An account that holds enough of the other outcome sells that; any other buys. */
  #inEngine({ pocket, ticker, side, price, count }: VenueOrder) {
    const { balances } = this.#venue.engine;
    const tokenId = side === 'bid' ? yesOf(ticker) : noOf(ticker);
    const other = side === 'bid' ? noOf(ticker) : yesOf(ticker);
    const limit = side === 'bid' ? price : complement(price);
    const [own, opposite] = side === 'bid' ? ([0, 1] as const) : ([1, 0] as const);
    return balances.freeTokens(pocket, other) >= count
      ? { tokenId: other, side: 'SELL' as const, outcome: opposite, limit: complement(limit) }
      : { tokenId, side: 'BUY' as const, outcome: own, limit };
  }

  #isAffordable(order: VenueOrder, { market }: NewOrder): boolean {
    const { side, limit } = this.#inEngine(order);
    if (side === 'SELL') return true;
    const fee = tradeFee(order.count, order.price, takerRate(feeTermsOf(market.event)));
    return this.freeCash(order.pocket) >= notional(order.count, limit, 'up') + fee;
  }

  #feeHeld(order: VenueOrder): number {
    const market = this.#venue.market(order.ticker);
    if (market === undefined) return 0;
    const rate = makerRate(feeTermsOf(market.event));
    const left = (order.count - order.filled) as Shares;
    return rate === 0 ? 0 : tradeFee(left, order.price, rate) + ROUNDING_HELD;
  }

  #match(order: VenueOrder, wanted: NewOrder, cut: Shares | null): Placed {
    const { engine } = this.#venue;
    const { timeInForce, market, postOnly, expiresAt } = wanted;
    if (cut === SHARES_ZERO) return { order: this.#end(order, 'SelfTradeCancel') };
    if (cut !== null && timeInForce === 'fill_or_kill') return { refused: 'fill_or_kill_insufficient_resting_volume' };
    const rests = cut === null && timeInForce === 'good_till_canceled';
    const type = timeInForce === 'fill_or_kill' ? 'FOK' : rests ? (expiresAt === null ? 'GTC' : 'GTD') : 'FAK';
    const { tokenId, side, outcome, limit } = this.#inEngine(order);
    const shares = cut ?? order.count;
    this.#keep(order);
    this.#placing = order.id;
    const placed = engine.place({
      ...{ id: order.id, account: order.pocket, makerAddress: order.pocket, side, limit, shares, postOnly },
      token: { market: this.#venue.matched(market), outcome, tokenId },
      quantity: { kind: 'shares', shares },
      timeInForce: type,
      expiresAt: rests ? expiresAt : null,
    });
    this.#placing = null;
    if (placed.kind === 'accepted') return { order };
    if (placed.reason === 'nothing to match')
      return { order: this.#end(order, cut === null ? null : 'SelfTradeCancel') };
    if (placed.reason === 'crosses book') return { order: this.#end(order, 'PostOnlyCrossCancel') };
    this.#byId.delete(order.id);
    this.#resting.delete(order);
    return {
      refused:
        placed.reason === 'not enough funds' ? 'insufficient_balance' : 'fill_or_kill_insufficient_resting_volume',
    };
  }

  /** An order that never stood in the book is kept on record. */
  #end(order: VenueOrder, reason: UpdateReason): VenueOrder {
    order.status = 'canceled';
    order.reason = reason;
    this.#keep(order);
    this.announce(order);
    return order;
  }

  #keep(order: VenueOrder): void {
    this.#byId.set(order.id, order);
    if (order.status === 'resting') this.#resting.add(order);
    else this.#resting.delete(order);
  }

  /** Has the listeners hear of an order as it is now. */
  announce(order: VenueOrder): void {
    for (const changed of this.changed) changed(order);
  }

  /** What a resting order was matched with is announced once its fill is on record. */
  #follow(record: OrderRecord, change: OrderChange): void {
    const order = this.#byId.get(record.id);
    if (order === undefined) return;
    const before = order.status;
    order.filled = record.matchedShares;
    if (record.status === 'MATCHED') order.status = order.filled >= order.count ? 'executed' : 'canceled';
    else order.status = isStanding(record) ? 'resting' : 'canceled';
    this.#keep(order);
    const now = this.#venue.engine.clock.now();
    if (order.status === 'resting' && order.filled > 0) order.reason = 'Trade';
    if (before === 'resting' && order.status === 'canceled' && order.reason === 'Trade') order.reason = null;
    if (order.status === 'canceled' && order.reason === null && order.expiresAt !== null && order.expiresAt <= now)
      order.reason = 'ExpiryCancel';
    order.updatedAt = now;
    if (change !== 'UPDATE' || record.id === this.#placing) this.announce(order);
  }
}
