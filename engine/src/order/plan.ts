/** What placing a number of sets would send, cost and bring: simulation and execution both take it from here. */

import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { type Percent, percentOf } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { LEAST_SIZE, minShares, roundSharesDown, roundUpToWholeShares, type Shares } from '@dutchbook/units/shares.ts';
import { notional, sharesForUsd, type Usd } from '@dutchbook/units/usd.ts';
import type { Level, Side } from '../book/level.ts';
import { depthUsd, sharesForNotional, takeLevels, totalSize, walkBook } from '../book/walk.ts';
import { roundToGrid } from '../market/tick.ts';
import { takerFee, takerFeeOfLevels } from '../opportunity/fee.ts';
import type { PositionQuote } from '../opportunity/value.ts';

/** MIN_ORDER_VALUE_USD and MIN_ORDER_SHARES. */
export type OrderMinimums = { minOrderValue: Usd; minOrderShares: Shares };

/**
 * The smallest whole number of shares with which every position satisfies the minimums and its market's own. Where a
 * book holds less than the minimum value, its worst ask is taken to go on, so that the depth gate can say what is short.
 */
export function defaultOrderSize(quotes: readonly PositionQuote[], minimums: OrderMinimums): Shares {
  return smallestOrder(quotes, minimums).size;
}

/** `rule`: which minimum it is that asks for as many; `leg`: of which leg, null where it is that of every order. */
export type SmallestOrder = {
  size: Shares;
  rule: 'MIN_ORDER_SHARES' | 'MIN_ORDER_VALUE_USD' | 'market';
  leg: number | null;
};

/** The default size, and what makes it no smaller. */
export function smallestOrder(
  quotes: readonly PositionQuote[],
  { minOrderShares, minOrderValue }: OrderMinimums,
): SmallestOrder {
  let most: { size: number } & Omit<SmallestOrder, 'size'> = {
    size: minOrderShares,
    rule: 'MIN_ORDER_SHARES',
    leg: null,
  };
  for (const { leg, market, book } of quotes) {
    const worth = sharesWorth(book?.asks ?? [], minOrderValue);
    if (worth > most.size) most = { size: worth, rule: 'MIN_ORDER_VALUE_USD', leg };
    const least = market?.minOrderSize ?? 0;
    if (least > most.size) most = { size: least, rule: 'market', leg };
  }
  return { ...most, size: roundUpToWholeShares(most.size as Shares) };
}

/**
 * One order of a plan. The order is for `size` shares and never pays more than `limitPrice`; `averagePrice`, `cost` and
 * `fee` are what the current book would take for it, costs and fees rounded up.
 */
export type PlannedOrder = {
  leg: number;
  marketId: MarketId;
  marketName: string;
  outcome: string;
  tokenId: TokenId;
  side: Side;
  size: Shares;
  limitPrice: Price;
  averagePrice: Price;
  cost: Usd;
  fee: Usd;
  /**
   * Null: the order is for `size` shares. It has too few to rest otherwise, and spends these dollars at once, which bring more shares
   * where prices are better than when it was planned.
   */
  spends: Usd | null;
  /** The most the order can take, all of it at the limit price with the fee there: what the venue wants to see in cash. */
  reserve: Usd;
};

/** A position that cannot be bought in full: `missing` shares of it are not on offer, or nothing is known of them. */
export type Shortage = { leg: number; marketId: MarketId; marketName: string; outcome: string; missing: Shares };

/** A plan may be sent only when `shortOf` is empty; the totals are those of its orders. */
export type PlacementPlan = {
  size: Shares;
  orders: PlannedOrder[];
  totalCost: Usd;
  totalFees: Usd;
  totalReserve: Usd;
  /** What the whole sets pay when they settle (rounded down), less cost and fees. */
  expectedProfit: Usd;
  /** Expected profit as a part of cost and fees, rounded down; null when nothing is bought. */
  expectedProfitPct: Percent | null;
  /** Cost and fees of all orders but the cheapest: what is lost if the cheapest alone does not fill and the rest pay nothing. */
  worstCaseLoss: Usd;
  shortOf: Shortage[];
};

/**
 * Plans to buy `size` shares, rounded down to what every market takes, of every position; a set pays `targetPrice`. A position
 * that is short has an order for what is on offer in the totals, or none where its market, token or fee is not known.
 */
export function planPlacement(quotes: readonly PositionQuote[], size: Shares, targetPrice: Price): PlacementPlan {
  const sendable = roundSharesDown(size, coarsestStep(quotes));
  const orders: PlannedOrder[] = [];
  const shortOf: Shortage[] = [];
  for (const quote of quotes) {
    const order = planOrder(quote, sendable);
    if (order !== null) orders.push(order);
    const missing = (sendable - (order?.size ?? 0)) as Shares;
    if (missing > 0) shortOf.push({ ...namesOf(quote), missing });
  }
  const sets = orders.length < quotes.length ? 0 : Math.min(sendable, ...orders.map((order) => order.size));
  return { size: sendable, orders, ...totalsOf(orders, sets as Shares, targetPrice), shortOf };
}

/** Steps of different venues are powers of ten of each other. */
export function coarsestStep(quotes: readonly PositionQuote[]): number {
  return Math.max(LEAST_SIZE, ...quotes.map(({ market }) => market?.sizeStep ?? LEAST_SIZE));
}

/** What the orders take together when `sets` whole sets come of them. */
export function totalsOf(orders: readonly PlannedOrder[], sets: Shares, targetPrice: Price) {
  const totalCost = sum(orders.map(({ cost }) => cost));
  const totalFees = sum(orders.map(({ fee }) => fee));
  const spent = (totalCost + totalFees) as Usd;
  const expectedProfit = (notional(sets, targetPrice, 'down') - spent) as Usd;
  const cheapest = orders.length === 0 ? 0 : Math.min(...orders.map(({ cost, fee }) => cost + fee));
  return {
    totalCost,
    totalFees,
    totalReserve: sum(orders.map(({ reserve }) => reserve)),
    expectedProfit,
    expectedProfitPct: spent === 0 ? null : percentOf(expectedProfit, spent, 'down'),
    worstCaseLoss: (spent - cheapest) as Usd,
  };
}

/** The order for `wanted` shares or what is on offer of them; null where nothing is, or market, token or fee is not known. */
export function planOrder(quote: PositionQuote, wanted: Shares): PlannedOrder | null {
  const { market, tokenId, book } = quote;
  if (market === undefined || tokenId === null || book === undefined || market.feeSchedule === null) return null;
  const size = roundSharesDown(minShares(wanted, totalSize(book.asks)), market.sizeStep);
  const taken = takeLevels(book.asks, size);
  const { cost, worstPrice, averagePrice } = walkBook(taken, size, 'buy');
  if (worstPrice === null || averagePrice === null) return null;
  const limitPrice = roundToGrid(worstPrice, market, 'up');
  const fee = takerFeeOfLevels(taken, market.feeSchedule);
  const feeAtLimit = takerFee(size, limitPrice, market.feeSchedule);
  const reserve = (notional(size, limitPrice, 'up') + Math.max(fee, feeAtLimit)) as Usd;
  const names = { ...namesOf(quote), tokenId, side: 'buy' as const };
  return { ...names, size, limitPrice, averagePrice, cost, fee, spends: null, reserve };
}

/** Names for messages and records; the outcome as the venue writes it, where that is known. */
export function namesOf({ leg, marketId, outcome, tokenId, market }: PositionQuote) {
  const offered = market?.outcomes.find((each) => each.tokenId === tokenId);
  return { leg, marketId, marketName: market?.question ?? marketId, outcome: offered?.outcome ?? outcome };
}

function sharesWorth(asks: readonly Level[], value: Usd): number {
  const worst = asks.at(-1);
  if (worst === undefined || worst.price === 0) return 0;
  const missing = (value - depthUsd(asks)) as Usd;
  return sharesForNotional(asks, value) ?? totalSize(asks) + sharesForUsd(missing, worst.price, 'up');
}

function sum(amounts: readonly Usd[]): Usd {
  return amounts.reduce((total, amount) => total + amount, 0) as Usd;
}
