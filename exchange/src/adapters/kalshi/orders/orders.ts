import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { complement } from '@dutchbook/units/price.ts';
import { addShares, minShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { notional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { hashId, uuidOf } from '../../../catalogue/ids.ts';
import type { RefusalReason } from '../../../matching/matcher.ts';
import type { IncomingOrder } from '../../../matching/order.ts';
import { planFills } from '../../../matching/plan.ts';
import { reservationOf } from '../../../matching/transfer.ts';
import type { Market } from '../../../matching-engine/market.ts';
import { isStanding, type OrderChange, type OrderRecord } from '../../../matching-engine/records.ts';
import { feeTermsOf, type MarketOfVenue, noOf, yesOf } from '../catalogue/listing.ts';
import { makerRate, takerRate, tradeFee } from '../fees.ts';
import type { Member } from '../members.ts';
import type { KalshiVenue } from '../venue.ts';
import type { Amendment, NewOrder, Placed, Refusal, UpdateReason, VenueOrder } from './order.ts';

/** Cents of a dollar that a resting order may cost more than its fee, by rounding each of its fills up. */
const ROUNDING_HELD = 10_000;

/** How long a cancel of everything goes on. */
const SWEEP_MS = 60_000;

/** Whether an order changed for this while it stood, so that it is not why it ended. */
function isOfWhatStood(reason: UpdateReason): boolean {
  return reason === 'Trade' || reason === 'Amend' || reason === 'Decrease';
}

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
  /** By member and subaccount: until when a cancel of everything takes new orders with it. */
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
    const pause = this.#pauseOf(market);
    if (pause !== null) return { refused: pause };
    const order = this.#draft(wanted);
    if (order.count === SHARES_ZERO) return { order: this.#end(order, 'ReduceOnlyCancel') };
    const cut = this.#withoutOwn(order);
    if (!this.#isAffordable(order)) return { refused: 'insufficient_balance' };
    const placed = this.#match(order, { timeInForce: wanted.timeInForce, shares: order.count, cut });
    const sweptUntil = this.#sweptUntil.get(`${member.id}/${order.subaccount}`) ?? 0;
    if (sweptUntil > order.createdAt) this.cancel(order);
    return placed;
  }

  /** Why nothing can be placed in a market now; null where it can. */
  #pauseOf(market: MarketOfVenue): Refusal | null {
    const { shard } = market.event.series;
    if (!this.#venue.states.shard(shard).exchangeActive || !this.#venue.isTrading(shard)) return 'exchange_is_paused';
    if (this.#venue.states.of(market).status !== 'active') return 'trading_is_paused';
    return this.#venue.matched(market).hasBooks ? null : 'book_out_of_reach';
  }

  #isInTriggeredGroup({ groupId }: Pick<NewOrder, 'groupId'>): boolean {
    return groupId !== null && this.#venue.groups.byId(groupId)?.isTriggered !== false;
  }

  /**
   * Gives an order that stands another price, count or name. It keeps its place where it gets smaller and nothing else; with another
   * price or more contracts it is placed anew, behind all others at its price, and may meet what stands on the other side.
   */
  amend(order: VenueOrder, { price, count, clientId }: Amendment): Placed {
    const market = this.#venue.market(order.ticker);
    if (market === undefined || order.status !== 'resting') return { refused: 'not_found' };
    const isSame = price === order.price && count === order.count;
    if (isSame && clientId === null) return { refused: 'AMEND_ORDER_NO_OP' };
    if (count <= order.filled) return { refused: 'invalid_order' };
    if (clientId !== null && !this.spend(order.member, clientId)) return { refused: 'order_already_exists' };
    if (this.#isInTriggeredGroup(order)) return { refused: 'order_group_triggered' };
    const pause = this.#pauseOf(market);
    if (pause !== null) return { refused: pause };
    const name = clientId ?? order.clientId;
    if (price === order.price && count <= order.count) {
      order.clientId = name;
      this.#shrink(order, count, 'Amend');
      return { order };
    }
    const wanted = { ...order, price, count: (count - order.filled) as Shares };
    const cut = this.#withoutOwn(wanted);
    if (!this.#isAffordable(wanted)) return { refused: 'insufficient_balance' };
    Object.assign(order, { price, count, clientId: name, filledBefore: order.filled, reason: 'Amend' });
    return this.#match(order, { timeInForce: 'good_till_canceled', shares: wanted.count, cut });
  }

  /** Leaves an order that stands so many contracts that are not filled; it keeps its place, and ends where that is none. */
  decrease(order: VenueOrder, left: Shares): void {
    if (left === SHARES_ZERO) this.cancel(order);
    else this.#shrink(order, (order.filled + left) as Shares, 'Decrease');
  }

  #shrink(order: VenueOrder, count: Shares, reason: 'Amend' | 'Decrease'): void {
    this.#venue.engine.reduce(order.id, (order.count - count) as Shares);
    Object.assign(order, { count, reason, updatedAt: this.#venue.engine.clock.now() });
    this.announce(order);
  }

  /** How many contracts are met before an order that stands; null where it does not. */
  queuePosition(order: VenueOrder): Shares | null {
    const standing = this.#standing(order.id);
    if (standing === undefined) return null;
    const { better, before } = standing.book.ahead(standing.order);
    return addShares(better, this.#venue.mirror?.ahead(order.id) ?? before);
  }

  /** Takes what is left of an order off the book; how much that was, null where nothing stood. */
  cancel(order: VenueOrder, reason: UpdateReason = null): Shares | null {
    if (order.status !== 'resting') return null;
    const left = (order.count - order.filled) as Shares;
    order.reason = reason;
    return this.#venue.engine.cancel(order.id) ? left : null;
  }

  /** Cancels everything that rests, and whatever comes to rest within the minute; of one subaccount where that is named. */
  cancelAll(member: Member, subaccount: number | undefined): void {
    const until = instantFromMs(this.#venue.engine.clock.now() + SWEEP_MS);
    const swept = subaccount === undefined ? [...member.subaccounts] : [subaccount];
    for (const each of swept) this.#sweptUntil.set(`${member.id}/${each}`, until);
    for (const order of this.of(member))
      if (subaccount === undefined || order.subaccount === subaccount) this.cancel(order);
  }

  /** A pocket's free cash: held neither for resting orders nor for their possible fees. */
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
      postOnly: wanted.postOnly,
      cancelsOnPause: wanted.cancelsOnPause,
      createdAt: now,
      accumulator: { micro: 0 },
      asTaker: { cost: USD_ZERO, fees: USD_ZERO },
      asMaker: { cost: USD_ZERO, fees: USD_ZERO },
      updatedAt: now,
      filled: SHARES_ZERO,
      filledBefore: SHARES_ZERO,
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
  #withoutOwn(order: VenueOrder): Shares | null {
    const { book } = this.#matched(order);
    for (;;) {
      let before = SHARES_ZERO;
      const own = planFills(book, this.#incoming(order)).fills.find(({ maker, fill }) => {
        if (this.#byId.get(maker.id)?.member === order.member) return true;
        before = (before + fill.shares) as Shares;
        return false;
      });
      if (own === undefined) return null;
      if (order.selfTrade === 'taker_at_cross') return before;
      const resting = this.#byId.get(own.maker.id);
      if (resting !== undefined) this.cancel(resting, 'SelfTradeCancel');
    }
  }

  #incoming(order: VenueOrder): IncomingOrder {
    const { id, pocket, count, side, outcome, limit } = { ...order, ...this.#inEngine(order, order.count) };
    return {
      ...{ id, account: pocket, side, outcome, limit, remainder: 'dies', postOnly: false },
      quantity: { kind: 'shares', shares: count },
      takerFeeRate: 0 as IncomingOrder['takerFeeRate'],
    };
  }

  /** An account that holds enough of the other outcome sells that; any other buys, and so does one that keeps both. */
  #inEngine({ id, pocket, ticker, side, price }: VenueOrder, shares: Shares) {
    const tokenId = side === 'bid' ? yesOf(ticker) : noOf(ticker);
    const other = side === 'bid' ? noOf(ticker) : yesOf(ticker);
    const limit = side === 'bid' ? price : complement(price);
    const [own, opposite] = side === 'bid' ? ([0, 1] as const) : ([1, 0] as const);
    const held = this.#heldBy(id);
    const free = this.#venue.engine.balances.freeTokens(pocket, other) + (held.tokenId === other ? held.shares : 0);
    return free >= shares && this.#venue.members.nets(pocket)
      ? { tokenId: other, side: 'SELL' as const, outcome: opposite, limit: complement(limit) }
      : { tokenId, side: 'BUY' as const, outcome: own, limit };
  }

  #isAffordable(order: VenueOrder): boolean {
    const { side, limit } = this.#inEngine(order, order.count);
    const market = this.#venue.market(order.ticker);
    if (side === 'SELL' || market === undefined) return true;
    const fee = tradeFee(order.count, order.price, takerRate(feeTermsOf(market.event)));
    return this.freeCash(order.pocket) + this.#heldBy(order.id).usd >= notional(order.count, limit, 'up') + fee;
  }

  /** The reservation of a resting order, which is free for the order itself when it is placed anew. */
  #heldBy(id: string): { usd: number; tokenId: string; shares: number } {
    const standing = this.#standing(id);
    const order = this.#byId.get(id);
    if (standing === undefined || order === undefined) return { usd: 0, tokenId: '', shares: 0 };
    const { usd, tokenId, shares } = reservationOf(standing.order, standing.tokens);
    return { usd: usd + this.#feeHeld(order), tokenId, shares };
  }

  /** An order as it stands in its book; undefined where it does not. */
  #standing(id: string) {
    const ticker = this.#byId.get(id)?.ticker;
    const market = ticker === undefined ? undefined : this.#venue.engine.directory.market(ticker);
    const order = market?.book.order(id);
    return market === undefined || order === undefined
      ? undefined
      : { order, book: market.book, tokens: market.tokens };
  }

  #matched({ ticker }: VenueOrder): Market {
    const market = this.#venue.engine.directory.market(ticker);
    if (market === undefined) throw new Error(`${ticker} is not listed`);
    return market;
  }

  #feeHeld(order: VenueOrder): number {
    const market = this.#venue.market(order.ticker);
    if (market === undefined) return 0;
    const rate = makerRate(feeTermsOf(market.event));
    const left = (order.count - order.filled) as Shares;
    return rate === 0 ? 0 : tradeFee(left, order.price, rate) + ROUNDING_HELD;
  }

  /** `cut`: how many shares come before the first order of its own member, which it may not meet. */
  #match(
    order: VenueOrder,
    { timeInForce, shares, cut }: Pick<NewOrder, 'timeInForce'> & { shares: Shares; cut: Shares | null },
  ): Placed {
    const { engine } = this.#venue;
    const { expiresAt, postOnly } = order;
    const stood = this.#standing(order.id) !== undefined;
    if (cut === SHARES_ZERO) {
      if (stood) this.cancel(order, 'SelfTradeCancel');
      return { order: stood ? order : this.#end(order, 'SelfTradeCancel') };
    }
    if (cut !== null && timeInForce === 'fill_or_kill') return { refused: 'fill_or_kill_insufficient_resting_volume' };
    const rests = cut === null && timeInForce === 'good_till_canceled';
    const type = timeInForce === 'fill_or_kill' ? 'FOK' : rests ? (expiresAt === null ? 'GTC' : 'GTD') : 'FAK';
    const { tokenId, side, outcome, limit } = this.#inEngine(order, shares);
    const part = cut ?? shares;
    this.#keep(order);
    this.#placing = order.id;
    const placed = engine.placeAnew({
      ...{ id: order.id, account: order.pocket, makerAddress: order.pocket, side, limit, shares: part, postOnly },
      token: { market: this.#matched(order), outcome, tokenId },
      quantity: { kind: 'shares', shares: part },
      timeInForce: type,
      expiresAt: rests ? expiresAt : null,
    });
    this.#placing = null;
    return placed.kind === 'accepted' ? { order } : this.#refused(order, placed.reason, { stood, cut });
  }

  /** Handles an order that the matching engine refuses: one that rested before is off the book. */
  #refused(order: VenueOrder, reason: RefusalReason, { stood, cut }: { stood: boolean; cut: Shares | null }): Placed {
    if (reason === 'nothing to match') return { order: this.#end(order, cut === null ? null : 'SelfTradeCancel') };
    if (reason === 'crosses book') return { order: this.#end(order, 'PostOnlyCrossCancel') };
    if (stood) this.#end(order, null);
    else {
      this.#byId.delete(order.id);
      this.#resting.delete(order);
    }
    return {
      refused: reason === 'not enough funds' ? 'insufficient_balance' : 'fill_or_kill_insufficient_resting_volume',
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

  /** Publishes the current state of an order. */
  announce(order: VenueOrder): void {
    for (const changed of this.changed) changed(order);
  }

  /** What a resting order was matched with is announced once its fill is on record. */
  #follow(record: OrderRecord, change: OrderChange): void {
    const order = this.#byId.get(record.id);
    if (order === undefined) return;
    const before = order.status;
    order.filled = addShares(order.filledBefore, record.matchedShares);
    if (record.status === 'MATCHED') order.status = order.filled >= order.count ? 'executed' : 'canceled';
    else order.status = isStanding(record) ? 'resting' : 'canceled';
    this.#keep(order);
    const now = this.#venue.engine.clock.now();
    if (order.status === 'resting' && record.matchedShares > 0) order.reason = 'Trade';
    if (before === 'resting' && order.status === 'canceled' && isOfWhatStood(order.reason)) order.reason = null;
    if (order.status === 'canceled' && order.reason === null && order.expiresAt !== null && order.expiresAt <= now)
      order.reason = 'ExpiryCancel';
    order.updatedAt = now;
    if (change !== 'UPDATE' || record.id === this.#placing) this.announce(order);
  }
}
