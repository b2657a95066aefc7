import type { Price } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Balances, Movement } from './balances.ts';
import type { Book } from './book.ts';
import {
  type BookSide,
  bookSideOf,
  type Fill,
  type IncomingOrder,
  type LevelChange,
  MARKET_MAKER,
  oppositeSide,
  type RestingOrder,
  unifiedPrice,
} from './order.ts';
import { crosses, type FillPlan, planFills } from './plan.ts';
import { reservation, reservationOf, type TokenPair, type Transfer, transferOf } from './transfer.ts';

/** One market as matching sees it. */
export interface MatchedMarket {
  readonly tokens: TokenPair;
  readonly book: Book;
}

export interface BookedFill {
  readonly fill: Fill;
  /** The credits have not been made yet: settlement makes them, or gives the debits back. */
  readonly transfer: Transfer;
}

export type RefusalReason = 'crosses book' | 'not fully filled' | 'nothing to match' | 'not enough funds';

export type Placement =
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | {
      readonly kind: 'accepted';
      readonly fills: readonly BookedFill[];
      readonly restingShares: Shares;
      readonly changes: readonly LevelChange[];
    };

/**
 * Matches an order by price, then time, at the makers' prices. Everything is checked before anything is booked: a
 * refused order leaves no trace. Fills are debited here and credited when their trade settles.
 */
export function placeOrder(market: MatchedMarket, balances: Balances, order: IncomingOrder): Placement {
  if (order.postOnly && crosses(market.book, order)) return { kind: 'refused', reason: 'crosses book' };
  const plan = planFills(market.book, order);
  const isFilled = plan.unfilledShares === 0 && plan.unfilledUsd === 0;
  if (order.remainder === 'kills the whole order' && !isFilled) return { kind: 'refused', reason: 'not fully filled' };
  if (order.remainder === 'dies' && plan.fills.length === 0) return { kind: 'refused', reason: 'nothing to match' };
  if (!isAffordable(market, balances, order, plan)) return { kind: 'refused', reason: 'not enough funds' };

  const touched = new TouchedLevels(market.book);
  const fills = plan.fills.map((planned) => bookFill(market, balances, order, planned, touched));
  const restingShares = order.remainder === 'rests' ? plan.unfilledShares : SHARES_ZERO;
  if (order.matchAtMost !== undefined && restingShares > 0) pullCrossingQuotes(market, order, touched);
  if (restingShares > 0) rest(market, balances, { ...order, remaining: restingShares }, touched);
  return { kind: 'accepted', fills, restingShares, changes: touched.changes() };
}

/** Takes a standing order out of the book and frees what it held back. */
export function cancelOrder(market: MatchedMarket, balances: Balances, order: RestingOrder): LevelChange[] {
  return reduceOrder(market, balances, order, order.remaining);
}

/** Takes shares out of a standing order, which keeps its place with those that are left, and frees what they held back. */
export function reduceOrder(
  market: MatchedMarket,
  balances: Balances,
  order: RestingOrder,
  shares: Shares,
): LevelChange[] {
  const touched = new TouchedLevels(market.book);
  touched.note(bookSideOf(order.side, order.outcome), unifiedPrice(order.limit, order.outcome));
  balances.reserve(negated(reservationOf(order, market.tokens)));
  market.book.reduce(order, shares);
  balances.reserve(reservationOf(order, market.tokens));
  return touched.changes();
}

/** Puts an order back that stood in the book before a restart; it is not matched. */
export function restoreOrder(market: MatchedMarket, balances: Balances, order: RestingOrder): LevelChange[] {
  const touched = new TouchedLevels(market.book);
  rest(market, balances, order, touched);
  return touched.changes();
}

/** Remembers which levels an operation touched, and reads their new sizes at its end. */
export class TouchedLevels {
  readonly #book: Book;
  readonly #touched = new Map<string, { side: BookSide; price: Price }>();

  constructor(book: Book) {
    this.#book = book;
  }

  note(side: BookSide, price: Price): void {
    this.#touched.set(`${side}${price}`, { side, price });
  }

  changes(): LevelChange[] {
    return [...this.#touched.values()].map(({ side, price }) => ({
      side,
      price,
      size: this.#book.sizeAt(side, price),
    }));
  }
}

/** @returns what the taker and the maker are debited; `touched` notes the level that the maker stands at. */
function bookFill(
  market: MatchedMarket,
  balances: Balances,
  taker: IncomingOrder,
  { maker, fill }: FillPlan['fills'][number],
  touched: TouchedLevels,
): BookedFill {
  const transfer = transferOf(taker, fill, market.tokens);
  touched.note(bookSideOf(maker.side, maker.outcome), unifiedPrice(maker.limit, maker.outcome));
  balances.reserve(negated(reservationOf(maker, market.tokens)));
  market.book.reduce(maker, fill.shares);
  balances.reserve(reservationOf(maker, market.tokens));
  for (const debit of transfer.debits) balances.debit(debit);
  return { fill, transfer };
}

function rest(market: MatchedMarket, balances: Balances, order: RestingOrder, touched: TouchedLevels): void {
  const { id, account, side, outcome, limit, remaining } = order;
  const standing: RestingOrder = { id, account, side, outcome, limit, remaining };
  market.book.add(standing);
  balances.reserve(reservationOf(standing, market.tokens));
  touched.note(bookSideOf(side, outcome), unifiedPrice(limit, outcome));
}

/** The liquidity that a capped order was kept from is gone: others were faster. Nothing crossed stays behind. */
function pullCrossingQuotes(market: MatchedMarket, order: IncomingOrder, touched: TouchedLevels): void {
  const side = oppositeSide(bookSideOf(order.side, order.outcome));
  while (crosses(market.book, order)) {
    const quotes = market.book.levels(side)[0]?.orders.filter((standing) => standing.account === MARKET_MAKER) ?? [];
    if (quotes.length === 0) return;
    for (const quote of quotes) {
      touched.note(side, unifiedPrice(quote.limit, quote.outcome));
      market.book.remove(quote);
    }
  }
}

/** Free funds must cover the signed worst case and what the order would really cost, fees included. */
function isAffordable(market: MatchedMarket, balances: Balances, order: IncomingOrder, plan: FillPlan): boolean {
  if (order.account === MARKET_MAKER) return true;
  const tokenId = market.tokens[order.outcome];
  if (order.side === 'SELL') {
    const shares = order.quantity.kind === 'shares' ? order.quantity.shares : SHARES_ZERO;
    return balances.freeTokens(order.account, tokenId) - gained(balances, order.account, tokenId) >= shares;
  }
  const free = balances.freeCash(order.account) - gained(balances, order.account, '');
  return free >= signedCost(order) && free >= realCost(order, plan) + withdrawnByOwnMakers(order, plan);
}

/** Shares that came from the chain and are not in the judged balance yet. */
function gained(balances: Balances, account: string, tokenId: string): number {
  return Math.max(0, balances.hidden(account, tokenId));
}

/** A buyer that meets its own standing buy order of the other token pays for both sides of the mint. */
function withdrawnByOwnMakers(order: IncomingOrder, plan: FillPlan): number {
  let usd = 0;
  for (const { maker, fill } of plan.fills) {
    if (maker.account !== order.account || maker.side !== 'BUY') continue;
    const after = (maker.remaining - fill.shares) as Shares;
    const freed =
      reservation(order.account, 'BUY', '', maker.remaining, maker.limit).usd -
      reservation(order.account, 'BUY', '', after, maker.limit).usd;
    usd += fill.makerUsd - freed;
  }
  return usd;
}

function signedCost(order: IncomingOrder): Usd {
  if (order.quantity.kind === 'dollars') return order.quantity.usd;
  return reservation(order.account, 'BUY', '', order.quantity.shares, order.limit).usd;
}

function realCost(order: IncomingOrder, plan: FillPlan): Usd {
  const rests = order.remainder === 'rests' ? plan.unfilledShares : SHARES_ZERO;
  const resting = reservation(order.account, 'BUY', '', rests, order.limit).usd;
  return plan.fills.reduce((sum, { fill }) => addUsd(addUsd(sum, fill.takerUsd), fill.fee), addUsd(USD_ZERO, resting));
}

function negated(movement: Movement): Movement {
  return { ...movement, usd: -movement.usd as Usd, shares: addShares(-movement.shares as Shares, SHARES_ZERO) };
}
