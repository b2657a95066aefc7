import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price, Tick } from '@dutchbook/units/price.ts';
import { addShares, roundSharesDown, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO, type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { Ledger } from '../matching/ledger.ts';
import { type BookedFill, cancelOrder, type Placement, placeOrder, restoreOrder } from '../matching/matcher.ts';
import {
  HOUSE,
  type IncomingOrder,
  type LevelChange,
  type OutcomeIndex,
  type Quantity,
  type Side,
} from '../matching/order.ts';
import { crosses, planFills } from '../matching/plan.ts';
import { type Quote, quoteDifference, setQuote } from '../matching/quotes.ts';
import { remainderOf } from '../matching/signed-amounts.ts';
import { Announcer } from './announcements.ts';
import type { ExchangeClock } from './clock.ts';
import { Engine } from './engine.ts';
import { type Market, type MarketDirectory, type Token, touchBook } from './market.ts';
import { type OrderOutcome, type OrderRequest, orderOf } from './order-request.ts';
import {
  type Account,
  isStanding,
  type OrderRecord,
  type OrderStatus,
  type TradeRecord,
  type TradeSide,
} from './records.ts';
import { Register } from './register.ts';
import { tradeOf } from './trade-of.ts';

export const STARTING_BALANCE: Usd = usdFromText('10000');

/** The venue takes a GTD order off this long before it expires by its own words. */
const GTD_EARLY_MS = 60_000;

/** Order sizes have two decimals. */
const ORDER_SIZE_STEP = 10_000;

/** What the floor asks the fault switches before it acts. */
export interface FloorFaults {
  /** The share of the reachable liquidity that this order may match, or undefined for all of it. */
  partialFill(tokenId: string): number | undefined;
}

export interface FloorParts {
  readonly clock: ExchangeClock;
  readonly directory: MarketDirectory;
  readonly faults: FloorFaults;
  /** Called once for every new trade; sees it through to the chain. */
  readonly settle: (trade: TradeRecord) => void;
}

type Accepted = Extract<Placement, { kind: 'accepted' }>;

/** The trading floor: the one place where orders, quotes and cancels change books, accounts and records. */
export class Floor {
  readonly clock: ExchangeClock;
  readonly directory: MarketDirectory;
  readonly engine: Engine;
  readonly ledger = new Ledger();
  readonly register = new Register();
  readonly announcer = new Announcer();
  readonly #parts: FloorParts;
  readonly #startedAt: Instant;
  /** The recording's time during a replay: books carry it instead of the clock's. */
  recordedAt: Instant | undefined;
  /** Whether the transaction of a match is named at once; undefined: for orders that may rest, as the venue does. */
  namesTransactionsAtOnce: boolean | undefined;
  #sequence = 0;

  constructor(parts: FloorParts) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.directory = parts.directory;
    this.engine = new Engine(parts.clock);
    this.#startedAt = parts.clock.now();
  }

  openAccount(account: Account): void {
    const isNew = !this.register.hasAddress(account.address);
    this.register.addAccount(account);
    if (isNew) this.ledger.setCash(account.address, STARTING_BALANCE);
    this.announcer.accountChanged(account.address);
  }

  /** Matches and books a user's order. A refused order leaves no trace. */
  place(request: OrderRequest): OrderOutcome {
    const placed = this.#match(request);
    if (placed.kind === 'refused') return placed;
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

  /** Takes a user's standing order off the book; false when it no longer stands. */
  cancel(orderId: string, status: OrderStatus = 'CANCELED'): boolean {
    const order = this.register.orders.get(orderId);
    const market = order && this.directory.market(order.conditionId);
    const standing = market?.book.order(orderId);
    if (order === undefined || market === undefined || standing === undefined) return false;
    const changes = cancelOrder(market, this.ledger, standing);
    order.status = status;
    this.announcer.orderChanged(order, 'CANCELLATION');
    this.#levelsChanged(market, changes);
    return true;
  }

  /** Sets single levels of the makers; users' orders that they cross are filled. Announced as one change. */
  setQuotes(market: Market, quotes: readonly Quote[]): void {
    const changes = quotes.flatMap((quote) => this.#setQuote(market, quote));
    this.#levelsChanged(market, lastOfEachLevel(changes));
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
    restoreOrder(market, this.ledger, { id, account, side, outcome, limit, remaining });
    this.#scheduleExpiry(order);
  }

  #match(request: OrderRequest): Placement {
    const { token, id, account, side, limit, quantity, postOnly } = request;
    const { market, outcome } = token;
    const remainder = remainderOf(request.timeInForce);
    const takerFeeRate = market.listing.feeRate;
    const incoming: IncomingOrder = { id, account, side, outcome, limit, quantity, remainder, postOnly, takerFeeRate };
    const cap = this.#cappedMatch(token, incoming);
    return placeOrder(market, this.ledger, cap === undefined ? incoming : { ...incoming, matchAtMost: cap });
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
    const trades = placed.fills.map((booked) => this.#bookTrade(market, taker, booked, hasHash));
    const usd = placed.fills.reduce((sum, { fill }) => addUsd(sum, fill.takerUsd), USD_ZERO);
    this.#concludePlacement(order, request.quantity, placed.restingShares, usd);
    if (placed.restingShares > 0) this.#scheduleExpiry(order);
    this.#levelsChanged(market, placed.changes);
    if (trades.length > 0) this.announcer.bookReplaced(market);
    return { kind: 'accepted', order, trades, usd };
  }

  #setQuote(market: Market, quote: Quote): readonly LevelChange[] {
    const result = setQuote(market, this.ledger, quote, this.#nextId());
    const outcome: OutcomeIndex = quote.side === 'bid' ? 0 : 1;
    const orderId = result.orderId;
    const taker = { orderId, account: HOUSE, tokenId: market.tokens[outcome], outcome, side: 'BUY' } as const;
    for (const booked of result.fills) this.#bookTrade(market, taker, booked);
    return result.changes;
  }

  #nextId(): string {
    const hex = (value: number) => value.toString(16).padStart(32, '0');
    return `0x${hex(this.#startedAt)}${hex(++this.#sequence)}`;
  }

  /** How much an order may match while a fault keeps liquidity from it; undefined without one. */
  #cappedMatch({ market, tokenId }: Token, order: IncomingOrder): Shares | undefined {
    if (!crosses(market.book, order)) return undefined;
    const fraction = this.#parts.faults.partialFill(tokenId);
    if (fraction === undefined) return undefined;
    const matchable = planFills(market.book, order).fills.reduce((sum, { fill }) => sum + fill.shares, 0);
    return roundSharesDown(Math.floor(matchable * fraction) as Shares, ORDER_SIZE_STEP);
  }

  /** A transaction that is not named at once is named when it is mined. */
  #bookTrade(market: Market, taker: Omit<TradeSide, 'price'>, booked: BookedFill, hasHash = false): TradeRecord {
    const trade = tradeOf(market, taker, booked, { now: this.clock.now(), unique: this.#nextId(), hasHash });
    market.lastTrade = { tokenId: taker.tokenId, outcome: taker.outcome, price: trade.taker.price, side: taker.side };
    this.register.trades.set(trade.id, trade);
    for (const side of [trade.taker, trade.maker]) this.#applyFill(side.orderId, trade, side === trade.maker);
    this.announcer.traded({ market, outcome: taker.outcome, tokenId: taker.tokenId }, trade);
    this.announcer.tradeChanged(trade);
    this.#parts.settle(trade);
    return trade;
  }

  #applyFill(orderId: string, trade: TradeRecord, isMaker: boolean): void {
    const order = this.register.orders.get(orderId);
    if (order === undefined) return;
    order.matchedShares = addShares(order.matchedShares, trade.shares);
    order.tradeIds.push(trade.id);
    this.announcer.accountChanged(order.account);
    if (!isMaker) return;
    order.status = order.matchedShares >= order.originalShares ? 'MATCHED' : 'LIVE';
    this.announcer.orderChanged(order, 'UPDATE');
  }

  #concludePlacement(order: OrderRecord, quantity: Quantity, restingShares: Shares, usd: Usd): void {
    const isFilled = quantity.kind === 'dollars' ? usd >= quantity.usd : order.matchedShares >= order.originalShares;
    if (isFilled) order.status = 'MATCHED';
    else if (restingShares === 0) order.status = 'CANCELED';
    if (order.matchedShares > 0 || order.status === 'UNMATCHED') this.announcer.orderChanged(order, 'UPDATE');
    if (order.status === 'CANCELED') this.announcer.orderChanged(order, 'CANCELLATION');
  }

  #scheduleExpiry(order: OrderRecord): void {
    if (order.expiresAt === null) return;
    const delayMs = Math.max(0, order.expiresAt - GTD_EARLY_MS - this.clock.now());
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
