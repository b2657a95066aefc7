import { FRACTION_ZERO } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price, Tick } from '@dutchbook/units/price.ts';
import { addShares, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { Balances } from '../matching/balances.ts';
import {
  type BookedFill,
  cancelOrder,
  type Placement,
  placeOrder,
  reduceOrder,
  restoreOrder,
} from '../matching/matcher.ts';
import {
  bookSideOf,
  type IncomingOrder,
  type LevelChange,
  MARKET_MAKER,
  type OutcomeIndex,
  type Quantity,
  type RestingOrder,
  type Side,
  unifiedPrice,
} from '../matching/order.ts';
import { type Quote, quoteDifference, setQuote } from '../matching/quotes.ts';
import { remainderOf } from '../matching/signed-amounts.ts';
import { Allowances } from './allowances.ts';
import { Announcer } from './announcements.ts';
import type { ExchangeClock } from './clock.ts';
import { type Market, type MarketDirectory, type Token, touchBook } from './market.ts';
import { faultyLimits, type MatchingFaults, SHORT_BY } from './matching-faults.ts';
import { type OrderOutcome, type OrderRequest, orderOf } from './order-request.ts';
import {
  type Account,
  isStanding,
  type OrderChange,
  type OrderRecord,
  type OrderStatus,
  type TradeRecord,
  type TradeSide,
} from './records.ts';
import { Register } from './register.ts';
import { tradeOf } from './trade-of.ts';
import { TradingMode } from './trading-mode.ts';

export const STARTING_BALANCE: Usd = usdFromText('10000');

/** The venue takes a GTD order off this long before it expires by its own words. */
const GTD_EARLY_MS = 60_000;

export interface MatchingEngineParts {
  readonly clock: ExchangeClock;
  readonly directory: MarketDirectory;
  readonly faults: MatchingFaults;
  /** Called once for every new trade; sees it through to the chain. */
  readonly settle: (trade: TradeRecord) => void;
  /** How long before an order expires by its own words it is taken off; as the venue of most tests does where it is absent. */
  readonly expiresEarlyMs?: number;
  /** What a new account begins with; `STARTING_BALANCE` where it is absent. */
  readonly startingBalance?: Usd;
  /** Whether takers pay the fee of the listing as they are matched. If not, who settles a trade charges what is due for it. */
  readonly chargesTakers?: boolean;
}

type Accepted = Extract<Placement, { kind: 'accepted' }>;

/** As the venue clamps them. */
export const CATALOGUE_PAGE_MAX = 100;

/** Characters, with `0x`. */
const ID_LENGTH = 66;

/** The trading engine: the one place where orders, quotes and cancels change books, accounts and records. */
export class MatchingEngine {
  readonly clock: ExchangeClock;
  readonly directory: MarketDirectory;
  readonly tradingMode: TradingMode;
  readonly balances = new Balances();
  readonly register = new Register();
  readonly allowances = new Allowances();
  readonly announcer = new Announcer();
  readonly #parts: MatchingEngineParts;
  readonly #lastId: Buffer;
  /** The recording's time during a replay: books carry it instead of the clock's. */
  recordedAt: Instant | undefined;
  /** Whether the transaction of a match is named at once; undefined: for orders that may rest, as the venue does. */
  namesTransactionsAtOnce: boolean | undefined;
  /** Longer pages of the catalogue are clamped to this. */
  cataloguePageMax = CATALOGUE_PAGE_MAX;
  #sequence = 0;

  constructor(parts: MatchingEngineParts) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.directory = parts.directory;
    this.tradingMode = new TradingMode(parts.clock);
    const startedAt = parts.clock
      .now()
      .toString(16)
      .padStart(ID_LENGTH / 2 - 1, '0');
    this.#lastId = Buffer.from(`0x${startedAt}`.padEnd(ID_LENGTH, '0'), 'latin1');
  }

  openAccount(account: Account): void {
    const isNew = !this.register.hasAddress(account.address);
    this.register.addAccount(account);
    if (isNew) this.balances.setCash(account.address, this.#parts.startingBalance ?? STARTING_BALANCE);
    this.announcer.accountChanged(account.address);
  }

  /** Matches and books a user's order. A refused order leaves no record; one that was killed is reported. */
  place(request: OrderRequest): OrderOutcome {
    const placed = this.#match(request);
    if (placed.kind === 'refused') {
      if (placed.reason === 'not fully filled') {
        this.announcer.orderKilled(orderOf(request, 'CANCELED', this.clock.now()));
      }
      return placed;
    }
    const order = this.#record(request, 'LIVE');
    return this.#book(order, request, placed);
  }

  /**
   * Takes an order into its market's delay. When that is over it is matched, rests as `UNMATCHED` if nothing is left to
   * match, or is canceled if it may not rest.
   */
  hold(request: OrderRequest): OrderRecord {
    const order = this.#record(request, 'DELAYED');
    this.clock.schedule(request.token.market.delayMs, () => {
      const placed = request.token.market.isAccepting ? this.#match(request) : undefined;
      if (placed === undefined || placed.kind === 'refused') {
        order.status = 'CANCELED';
        this.announcer.orderChanged(order, 'CANCELLATION');
      } else {
        order.status = placed.fills.length > 0 ? 'LIVE' : 'UNMATCHED';
        this.#book(order, request, placed);
      }
    });
    return order;
  }

  /** Where a fault wants it: takes the order as one of a delay, and then has never heard of it. */
  holdAndDrop(request: OrderRequest): OrderRecord | undefined {
    const drop = this.#parts.faults.dropsDelayed(request.token.tokenId);
    if (drop === undefined) return undefined;
    const order = this.#record(request, 'DELAYED');
    this.clock.schedule(drop.afterMs, () => {
      order.status = 'CANCELED';
      order.isForgotten = true;
      this.announcer.orderChanged(order, 'FORGOTTEN');
    });
    return order;
  }

  /** Takes a user's standing order off the book; false when it no longer stands. */
  cancel(orderId: string, status: OrderStatus = 'CANCELED', reported: OrderChange = 'CANCELLATION'): boolean {
    const found = this.#standing(orderId);
    if (found === undefined) return false;
    const { order, market, standing } = found;
    const changes = cancelOrder(market, this.balances, standing);
    order.status = status;
    this.announcer.orderChanged(order, reported);
    this.#levelsChanged(market, changes);
    return true;
  }

  /** Takes shares off a user's standing order, which keeps its place; false when it has no more than these. */
  reduce(orderId: string, shares: Shares): boolean {
    const found = this.#standing(orderId);
    if (found === undefined || found.standing.remaining <= shares) return false;
    const { order, market, standing } = found;
    const changes = reduceOrder(market, this.balances, standing, shares);
    order.originalShares = subtractShares(order.originalShares, shares);
    this.announcer.orderChanged(order, 'UPDATE');
    this.#levelsChanged(market, changes);
    return true;
  }

  /** As `place`, for an order that may stand already: it leaves the book without a word and comes back behind all others at its price. */
  placeAnew(request: OrderRequest): OrderOutcome {
    const found = this.#standing(request.id);
    if (found !== undefined)
      this.#levelsChanged(found.market, cancelOrder(found.market, this.balances, found.standing));
    return this.place(request);
  }

  #standing(orderId: string): { order: OrderRecord; market: Market; standing: RestingOrder } | undefined {
    const order = this.register.orders.get(orderId);
    const market = order && this.directory.market(order.conditionId);
    const standing = market?.book.order(orderId);
    return order && market && standing && { order, market, standing };
  }

  /**
   * Sets single levels of the makers; users' orders that they cross are filled. Announced as one change.
   * @param repeated levels that are announced with it as they stand
   */
  setQuotes(market: Market, quotes: readonly Quote[], repeated: readonly Omit<LevelChange, 'size'>[] = []): void {
    const changes = quotes.flatMap((quote) => this.#setQuote(market, quote));
    const again = repeated.map(({ side, price }) => ({ side, price, size: market.book.sizeAt(side, price) }));
    this.#levelsChanged(market, lastOfEachLevel([...again, ...changes]));
  }

  /** Has the makers trade up to `shares` with a user's order that stands, at its price. */
  tradeWithStanding(market: Market, orderId: string, shares: Shares): void {
    const standing = market.book.order(orderId);
    if (standing === undefined) return;
    const outcome: OutcomeIndex = bookSideOf(standing.side, standing.outcome) === 'bid' ? 1 : 0;
    const limit = unifiedPrice(unifiedPrice(standing.limit, standing.outcome), outcome);
    const id = this.#nextId();
    const taker = {
      orderId: id,
      account: MARKET_MAKER,
      tokenId: market.tokens[outcome],
      outcome,
      side: 'BUY',
    } as const;
    const placed = placeOrder(market, this.balances, {
      ...{ id, account: MARKET_MAKER, side: 'BUY', outcome, limit, meets: orderId },
      ...{ quantity: { kind: 'shares', shares }, remainder: 'dies', postOnly: false, takerFeeRate: FRACTION_ZERO },
    });
    if (placed.kind === 'refused') return;
    this.#bookTrade(market, taker, placed.fills);
    this.#levelsChanged(market, placed.changes);
  }

  /** Sets levels of a recording, which are not announced: the recorded frame itself is sent on. */
  replayQuotes(market: Market, quotes: readonly Quote[]): void {
    for (const quote of quotes) this.#setQuote(market, quote);
    touchBook(market, this.recordedAt ?? this.clock.now());
  }

  replayTrade(token: Token, trade: { readonly price: Price; readonly size: Shares; readonly side: Side }): void {
    const { market, tokenId, outcome } = token;
    market.lastTrade = { tokenId, outcome, price: trade.price, side: trade.side };
    market.bookAt = this.recordedAt ?? this.clock.now();
    this.announcer.tradeReplayed(token, trade);
  }

  /** Makes `quotes` all that the makers show in this market. */
  replaceQuotes(market: Market, quotes: readonly Quote[]): void {
    this.setQuotes(market, quoteDifference(market, quotes));
  }

  /** As `replaceQuotes`, announced as a new book rather than as changes of levels. */
  replaceBook(market: Market, quotes: readonly Quote[]): void {
    for (const quote of quoteDifference(market, quotes)) this.#setQuote(market, quote);
    touchBook(market, this.recordedAt ?? this.clock.now());
    this.announcer.bookReplaced(market);
  }

  setTickSize(market: Market, tick: Tick): void {
    const previous = market.tick;
    market.tick = tick;
    this.announcer.tickSizeChanged(market, previous);
    this.announcer.marketChanged(market);
    this.announcer.bookReplaced(market);
  }

  stopAccepting(market: Market): void {
    market.isAccepting = false;
    this.announcer.marketChanged(market);
  }

  /** Puts a standing order of the journal back into its book; one that a crash caught in a delay is lost. */
  restore(order: OrderRecord): void {
    if (order.status === 'DELAYED') order.status = 'CANCELED';
    const market = this.directory.market(order.conditionId);
    if (market === undefined || !isStanding(order)) return;
    const remaining = (order.originalShares - order.matchedShares) as Shares;
    const { id, account, side, outcome, limit } = order;
    restoreOrder(market, this.balances, { id, account, side, outcome, limit, remaining });
    this.#scheduleExpiry(order);
  }

  #match(request: OrderRequest): Placement {
    const { token, id, account, side, limit, quantity, postOnly } = request;
    const { market, outcome } = token;
    const remainder = remainderOf(request.timeInForce);
    const takerFeeRate = this.#parts.chargesTakers === false ? FRACTION_ZERO : market.listing.feeRate;
    const incoming: IncomingOrder = { id, account, side, outcome, limit, quantity, remainder, postOnly, takerFeeRate };
    const limits = faultyLimits(token, incoming, this.#parts.faults);
    return placeOrder(market, this.balances, { ...incoming, ...limits });
  }

  #record(request: OrderRequest, status: OrderStatus): OrderRecord {
    const order = orderOf(request, status, this.clock.now());
    this.register.orders.set(order.id, order);
    this.announcer.orderChanged(order, 'PLACEMENT');
    return order;
  }

  #book(order: OrderRecord, request: OrderRequest, placed: Accepted): OrderOutcome {
    const { market, outcome, tokenId } = request.token;
    const taker = { orderId: order.id, account: order.account, tokenId, outcome, side: order.side };
    const mayRest = request.timeInForce === 'GTC' || request.timeInForce === 'GTD';
    const hasHash = this.namesTransactionsAtOnce ?? mayRest;
    const trade = this.#bookTrade(market, taker, placed.fills, hasHash);
    this.#concludePlacement(order, request.quantity, placed.restingShares, trade?.takerUsd ?? USD_ZERO);
    if (placed.restingShares > 0) this.#scheduleEnds(order);
    this.#levelsChanged(market, placed.changes);
    if (trade !== undefined) this.announcer.bookReplaced(market);
    return { kind: 'accepted', order, trade };
  }

  #setQuote(market: Market, quote: Quote): readonly LevelChange[] {
    const result = setQuote(market, this.balances, quote, this.#nextId());
    const outcome: OutcomeIndex = quote.side === 'bid' ? 0 : 1;
    const orderId = result.orderId;
    const taker = { orderId, account: MARKET_MAKER, tokenId: market.tokens[outcome], outcome, side: 'BUY' } as const;
    this.#bookTrade(market, taker, result.fills);
    return result.changes;
  }

  /**
   * 32 bytes in hexadecimal: when the engine started, and a count. Each level of a mirrored book is an order with such an id, and a text
   * that is put together takes five times the memory of one that is read: 100 MB with 10,000 markets.
   */
  #nextId(): string {
    const count = (++this.#sequence).toString(16);
    this.#lastId.write(count, ID_LENGTH - count.length, 'latin1');
    return this.#lastId.toString('latin1');
  }

  /**
   * Whatever an order met in one go is one trade; undefined where that was nothing. A transaction that is not named at once
   * is named when it is mined.
   */
  #bookTrade(
    market: Market,
    taker: Omit<TradeSide, 'price'>,
    booked: readonly BookedFill[],
    hasHash = false,
  ): TradeRecord | undefined {
    const last = booked.at(-1);
    if (last === undefined) return undefined;
    const trade = tradeOf(market, taker, booked, { now: this.clock.now(), unique: this.#nextId(), hasHash });
    const { tokenId, outcome, side } = taker;
    market.lastTrade = { tokenId, outcome, price: last.fill.takerPrice, side };
    this.register.trades.set(trade.id, trade);
    this.#applyFill(trade, { orderId: taker.orderId, shares: trade.shares, isMaker: false });
    for (const { orderId, shares } of trade.makers) this.#applyFill(trade, { orderId, shares, isMaker: true });
    this.announcer.traded({ market, outcome, tokenId }, trade);
    this.announcer.tradeChanged(trade);
    this.#parts.settle(trade);
    return trade;
  }

  #applyFill(trade: TradeRecord, part: { orderId: string; shares: Shares; isMaker: boolean }): void {
    const { orderId, shares, isMaker } = part;
    const order = this.register.orders.get(orderId);
    if (order === undefined) return;
    order.matchedShares = addShares(order.matchedShares, shares);
    order.tradeIds.push(trade.id);
    this.announcer.accountChanged(order.account);
    if (!isMaker) return;
    order.status = order.matchedShares >= order.originalShares ? 'MATCHED' : 'LIVE';
    this.announcer.orderChanged(order, 'UPDATE');
  }

  #concludePlacement(order: OrderRecord, quantity: Quantity, restingShares: Shares, usd: Usd): void {
    const missing = order.originalShares - order.matchedShares;
    const isFilled =
      quantity.kind === 'dollars' ? usd >= quantity.usd : missing <= (restingShares === 0 ? SHORT_BY : 0);
    if (isFilled) order.status = 'MATCHED';
    else if (restingShares === 0) order.status = 'CANCELED';
    if (order.matchedShares > 0 || order.status === 'UNMATCHED') this.announcer.orderChanged(order, 'UPDATE');
    if (order.status === 'CANCELED') this.announcer.orderChanged(order, 'CANCELLATION');
  }

  /** When an order that has come to rest ends without its owner. */
  #scheduleEnds(order: OrderRecord): void {
    this.#scheduleExpiry(order);
    const cancel = this.#parts.faults.cancelsResting(order.tokenId);
    if (cancel === undefined) return;
    this.clock.schedule(cancel.afterMs, () => {
      if (!isStanding(order)) return;
      order.isForgotten = true;
      this.cancel(order.id, 'CANCELED', cancel.isSilent ? 'FORGOTTEN' : 'CANCELLATION');
    });
  }

  #scheduleExpiry(order: OrderRecord): void {
    if (order.expiresAt === null) return;
    const delayMs = Math.max(0, order.expiresAt - (this.#parts.expiresEarlyMs ?? GTD_EARLY_MS) - this.clock.now());
    this.clock.schedule(delayMs, () => this.cancel(order.id));
  }

  #levelsChanged(market: Market, changes: readonly LevelChange[]): void {
    if (changes.length === 0) return;
    touchBook(market, this.recordedAt ?? this.clock.now());
    this.announcer.levelsChanged(market, changes);
  }
}

function lastOfEachLevel(changes: readonly LevelChange[]): LevelChange[] {
  return [...new Map(changes.map((change) => [`${change.side}${change.price}`, change])).values()];
}
