/**
 * What a size costs in a book, or brings. `levels` are always one side of a book, best first: asks for a buy, bids for
 * a sell. Dollars are summed exactly and rounded once, against us: costs up, proceeds down.
 */
import { MICRO, mulAddDiv } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { averagePrice, restOfMicroDollar, totalNotional, type Usd, wholeMicroDollars } from '@dutchbook/units/usd.ts';
import type { Level, Side } from './level.ts';

/**
 * The price of the level at which the dollars on offer, counted from the best level, first reach `threshold`: the
 * limit one must pay to buy that much. Null when the levels never reach it.
 */
export function priceAtNotional(levels: Iterable<Level>, threshold: Usd): Price | null {
  const wanted = threshold * MICRO;
  if (wanted > Number.MAX_SAFE_INTEGER) {
    const all = [...levels];
    return all[reachNotional(all, threshold).index]?.price ?? null;
  }
  // This runs for every position at every change of its book. While the sum is below `wanted` it is exact, and a
  // product or sum that is too large to be exact is certainly above it.
  let offered = 0;
  for (const { price, size } of levels) {
    offered += price * size;
    if (offered >= wanted) return price;
  }
  return null;
}

/**
 * The fewest shares, taken best level first, that are worth `value` (rounded up to a millionth of a share). Null when
 * all levels together are not.
 */
export function sharesForNotional(levels: readonly Level[], value: Usd): Shares | null {
  const { index, shares, dollars, rest } = reachNotional(levels, value);
  const level = levels[index];
  if (level === undefined) return null;
  return (shares + mulAddDiv(value - dollars, MICRO, -rest, level.price, 'up')) as Shares;
}

/** The level with which `threshold` is reached, and what was counted before it. */
function reachNotional(levels: readonly Level[], threshold: Usd) {
  const before = { index: 0, shares: 0, dollars: 0, rest: 0 };
  for (const { price, size } of levels) {
    let dollars = before.dollars + wholeMicroDollars(size, price);
    let rest = before.rest + restOfMicroDollar(size, price);
    if (rest >= MICRO) {
      dollars += 1;
      rest -= MICRO;
    }
    if (dollars >= threshold) break;
    before.index += 1;
    before.shares += size;
    before.dollars = dollars;
    before.rest = rest;
  }
  return before;
}

/** `filled` is less than asked for where the levels end; then `worstPrice` is that of the last level. */
export type BookWalk = {
  filled: Shares;
  /** What a buy costs (rounded up) or a sell brings (rounded down). */
  cost: Usd;
  /** Price of the worst level touched: the limit an order for `filled` needs. Null when nothing fills. */
  worstPrice: Price | null;
  /** Rounded like `cost`, and never worse than `worstPrice`. Null when nothing fills. */
  averagePrice: Price | null;
};

/** Takes `size` shares from the levels, best first. `side` is ours: `buy` over asks, `sell` over bids. */
export function walkBook(levels: readonly Level[], size: Shares, side: Side): BookWalk {
  const taken = takeLevels(levels, size);
  const rounding = side === 'buy' ? 'up' : 'down';
  return {
    filled: totalSize(taken),
    cost: totalNotional(taken, rounding),
    worstPrice: taken.at(-1)?.price ?? null,
    averagePrice: taken.length === 0 ? null : averagePrice(taken, rounding),
  };
}

/** What one of `size` shares costs on average, rounded up. Null where there are not so many on offer. */
export function averageAsk(asks: readonly Level[], size: Shares): Price | null {
  const walk = walkBook(asks, size, 'buy');
  return walk.filled < size ? null : walk.averagePrice;
}

/** The part of each level that `size` shares take, best first; less than `size` where the levels end. */
export function takeLevels(levels: readonly Level[], size: Shares): Level[] {
  const taken: Level[] = [];
  let left: number = size;
  for (const level of levels) {
    if (left <= 0) break;
    const part = Math.min(level.size, left) as Shares;
    taken.push({ price: level.price, size: part });
    left -= part;
  }
  return taken;
}

/** The shares that an order of ours with this limit could take at once: bought at most at it, sold at least at it. */
export function sizeWithin(levels: readonly Level[], limit: Price, side: Side): Shares {
  const beyond = levels.findIndex(({ price }) => (side === 'buy' ? price > limit : price < limit));
  return totalSize(beyond === -1 ? levels : levels.slice(0, beyond));
}

/** All shares of the levels. */
export function totalSize(levels: readonly Level[]): Shares {
  return levels.reduce((sum, { size }) => sum + size, 0) as Shares;
}

/** The dollars of each level and all better ones, rounded down. */
export function runningTotals(levels: readonly Level[]): Usd[] {
  let dollars = 0;
  let rest = 0;
  return levels.map(({ price, size }) => {
    dollars += wholeMicroDollars(size, price);
    rest += restOfMicroDollar(size, price);
    return mulAddDiv(dollars, MICRO, rest, MICRO, 'down') as Usd;
  });
}

/** All dollars on offer, rounded down. */
export function depthUsd(levels: readonly Level[]): Usd {
  return totalNotional(levels, 'down');
}
