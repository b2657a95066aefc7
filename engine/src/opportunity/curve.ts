/** How profit changes with size: every further set is dearer, because the best levels go first. */
import { MICRO, mulAddDiv } from '@dutchbook/units/micro.ts';
import { addPrices, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { addShares, ONE_SHARE, roundSharesDown, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import {
  notional,
  restOfMicroDollar,
  totalNotional,
  USD_ZERO,
  type Usd,
  wholeMicroDollars,
} from '@dutchbook/units/usd.ts';
import { type Book, bestAsk } from '../book/book.ts';
import type { Level } from '../book/level.ts';
import { takeLevels } from '../book/walk.ts';
import type { FeeSchedule } from '../market/market.ts';
import { takerFee, takerFeeOfLevels } from './fee.ts';
import type { PositionQuote } from './value.ts';

/**
 * The largest whole number of shares of which even the last set pays more than it costs with its fees (those of one
 * share, rounded up). Up to here every further set adds to the total profit. Zero when not even the first whole set
 * does, or when a position cannot be bought.
 */
export function maxProfitableSize(quotes: readonly PositionQuote[], targetPrice: Price): Shares {
  const positions = buyable(quotes);
  return positions === null ? SHARES_ZERO : profitableSize(positions, targetPrice);
}

function profitableSize(positions: readonly Offered[], targetPrice: Price): Shares {
  let size = SHARES_ZERO;
  for (const slice of slicesOfSet(positions)) {
    if (slice.marginalCost >= targetPrice) break;
    size = slice.upTo;
  }
  return roundSharesDown(size, ONE_SHARE);
}

/**
 * The largest profitable size and what buying it leaves after fees, each level being one trade. Null when a position cannot be
 * bought.
 */
export function mostProfitable(
  quotes: readonly PositionQuote[],
  targetPrice: Price,
): { size: Shares; profit: Usd } | null {
  const bought = toBuy(quotes);
  if (bought === null) return null;
  // This runs for every opportunity at every change of its books, and of most not even the first set pays.
  const first = costOfFirstSet(bought);
  if (first === null || first >= targetPrice) return { size: SHARES_ZERO, profit: USD_ZERO };
  const positions = bought.map(offeredIn);
  const size = profitableSize(positions, targetPrice);
  let profit: number = notional(size, targetPrice, 'down');
  for (const { asks, schedule } of size === 0 ? [] : positions) {
    const taken = takeLevels(asks, size);
    profit -= totalNotional(taken, 'up') + takerFeeOfLevels(taken, schedule);
  }
  return { size, profit: profit as Usd };
}

/** What buying `size` shares of every position costs and leaves. `marginalCost`: the last set bought, with its fees. */
export type ProfitPoint = { size: Shares; cost: Usd; fees: Usd; profit: Usd; marginalCost: Price };

/**
 * The profit at every size at which some position passes on to its next level, up to the size at which the first book
 * is empty. Between two points profit is a straight line but for rounding. Empty when a position cannot be bought.
 */
export function profitCurve(quotes: readonly PositionQuote[], targetPrice: Price): ProfitPoint[] {
  const positions = buyable(quotes);
  return positions === null ? [] : [...curveOfAsks(positions, targetPrice)];
}

/** The offers for one position, with the venue's taker fee. */
export type Offered = { asks: readonly Level[]; schedule: FeeSchedule };

/** The profit curve by asks and fee schedules alone, point by point. */
function* curveOfAsks(positions: readonly Offered[], targetPrice: Price): Generator<ProfitPoint, void> {
  const bought = positions.map(nothingBought);
  let before = SHARES_ZERO;
  for (const { upTo, levels, marginalCost } of slicesOfSet(positions)) {
    for (const [index, level] of levels.entries()) {
      const position = bought[index];
      if (position !== undefined) buyFrom(position, level, (upTo - before) as Shares);
    }
    before = upTo;
    const cost = bought.reduce((sum, position) => sum + costOf(position), 0) as Usd;
    const fees = bought.reduce((sum, position) => sum + feesOf(position), 0) as Usd;
    const profit = (notional(upTo, targetPrice, 'down') - cost - fees) as Usd;
    yield { size: upTo, cost, fees, profit, marginalCost };
  }
}

/**
 * The point at which most is left, null where nothing is. A set is never cheaper than the one before, so that less is left from the best
 * point on; what is left is less than that by the fees that are rounded up, of which no more than `rounded` is.
 */
export function bestOfAsks(positions: readonly Offered[], targetPrice: Price): ProfitPoint | null {
  const rounded = positions.reduce((sum, { asks, schedule }) => sum + asks.length * schedule.step + 1, 1);
  let best: ProfitPoint | null = null;
  for (const point of curveOfAsks(positions, targetPrice)) {
    const most = best?.profit ?? USD_ZERO;
    if (point.profit > most) best = point;
    else if (point.profit + rounded < most) break;
  }
  return best;
}

/** The purchases of one position so far; the fee of a level is known when the level is left, because it is one trade. */
type Bought = {
  schedule: FeeSchedule;
  dollars: number;
  rest: number;
  feesBefore: number;
  level: Level | null;
  taken: Shares;
};

function nothingBought({ schedule }: Offered): Bought {
  return { schedule, dollars: 0, rest: 0, feesBefore: 0, level: null, taken: SHARES_ZERO };
}

function buyFrom(bought: Bought, level: Level, size: Shares): void {
  if (level !== bought.level) {
    bought.feesBefore = feesOf(bought);
    bought.level = level;
    bought.taken = SHARES_ZERO;
  }
  bought.taken = addShares(bought.taken, size);
  bought.dollars += wholeMicroDollars(size, level.price);
  bought.rest += restOfMicroDollar(size, level.price);
}

function costOf({ dollars, rest }: Bought): number {
  return mulAddDiv(dollars, MICRO, rest, MICRO, 'up');
}

function feesOf({ schedule, feesBefore, level, taken }: Bought): number {
  return feesBefore + (level === null ? 0 : takerFee(taken, level.price, schedule));
}

/** The sizes over which every position stays on one level, in order, with the cost of one set there. */
type Slice = { upTo: Shares; levels: readonly Level[]; marginalCost: Price };

/** Null when a position has no open market, no book or no known fee. */
export function buyable(quotes: readonly PositionQuote[]): Offered[] | null {
  return toBuy(quotes)?.map(offeredIn) ?? null;
}

/** A position that can be bought, by its whole book. */
type ToBuy = { book: Book; schedule: FeeSchedule };

function offeredIn({ book, schedule }: ToBuy): Offered {
  return { asks: book.asks, schedule };
}

/** Of one set at the best asks, with its fees; null where nothing of a position is on offer. */
function costOfFirstSet(positions: readonly ToBuy[]): Price | null {
  let cost = 0;
  for (const { book, schedule } of positions) {
    const ask = bestAsk(book);
    if (ask === null) return null;
    cost += ask + takerFee(ONE_SHARE, ask, schedule);
  }
  return cost as Price;
}

function toBuy(quotes: readonly PositionQuote[]): ToBuy[] | null {
  const positions: ToBuy[] = [];
  for (const { market, book, tokenId } of quotes) {
    if (market === undefined || market.closed || market.feeSchedule === null) return null;
    if (book === undefined || tokenId === null) return null;
    positions.push({ book, schedule: market.feeSchedule });
  }
  return positions.length === 0 ? null : positions;
}

export function* slicesOfSet(positions: readonly Offered[]): Generator<Slice> {
  const cursors = positions.map(({ asks, schedule }) => ({ asks, schedule, index: -1, levelEnd: 0, cost: PRICE_ZERO }));
  let marginalCost = PRICE_ZERO;
  for (let before = 0; ; ) {
    for (const cursor of cursors) {
      if (cursor.levelEnd > before) continue;
      cursor.index += 1;
      const level = cursor.asks[cursor.index];
      if (level === undefined) return;
      cursor.levelEnd += level.size;
      const cost = (level.price + takerFee(ONE_SHARE, level.price, cursor.schedule)) as Price;
      marginalCost = addPrices(marginalCost, (cost - cursor.cost) as Price);
      cursor.cost = cost;
    }
    const levels = cursors.map(({ asks, index }) => asks[index] as Level);
    const upTo = Math.min(...cursors.map(({ levelEnd }) => levelEnd)) as Shares;
    yield { upTo, levels, marginalCost };
    before = upTo;
  }
}
