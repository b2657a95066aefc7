/**
 * What a size costs in a book, or brings. `levels` are always one side of a book, best first: asks for a buy, bids for
 * a sell. Dollars are summed exactly and rounded once, against us: costs up, proceeds down.
 */
import { MICRO, mulAddDiv } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Level, Side } from './level.ts';

/**
 * The price of the level at which the dollars on offer, counted from the best level, first reach `threshold`: the
 * limit one must pay to buy that much. Null when the levels never reach it.
 */
export function priceAtNotional(levels: readonly Level[], threshold: Usd): Price | null {
  let dollars = 0;
  let rest = 0;
  for (const { price, size } of levels) {
    dollars += wholeMicroDollars(size, price);
    rest += restOfMicroDollar(size, price);
    if (rest >= MICRO) {
      dollars += 1;
      rest -= MICRO;
    }
    if (dollars >= threshold) return price;
  }
  return null;
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
  let filled = 0;
  let dollars = 0;
  let rest = 0;
  let worstPrice: Price | null = null;
  for (const level of levels) {
    if (filled >= size) break;
    const taken = Math.min(level.size, size - filled);
    filled += taken;
    dollars += wholeMicroDollars(taken, level.price);
    rest += restOfMicroDollar(taken, level.price);
    worstPrice = level.price;
  }
  const rounding = side === 'buy' ? 'up' : 'down';
  return {
    filled: filled as Shares,
    cost: mulAddDiv(dollars, MICRO, rest, MICRO, rounding) as Usd,
    worstPrice,
    averagePrice: filled === 0 ? null : (mulAddDiv(dollars, MICRO, rest, filled, rounding) as Price),
  };
}

/** The shares that an order of ours with this limit could take at once: bought at most at it, sold at least at it. */
export function sizeWithin(levels: readonly Level[], limit: Price, side: Side): Shares {
  let size = 0;
  for (const level of levels) {
    if (side === 'buy' ? level.price > limit : level.price < limit) break;
    size += level.size;
  }
  return size as Shares;
}

/** All dollars on offer, rounded down. */
export function depthUsd(levels: readonly Level[]): Usd {
  let dollars = 0;
  let rest = 0;
  for (const { price, size } of levels) {
    dollars += wholeMicroDollars(size, price);
    rest += restOfMicroDollar(size, price);
  }
  return mulAddDiv(dollars, MICRO, rest, MICRO, 'down') as Usd;
}

/** `size * price` in micro-dollars without its rest; split at whole shares so that no product outgrows a double. */
function wholeMicroDollars(size: number, price: Price): number {
  const partOfShare = size % MICRO;
  return ((size - partOfShare) / MICRO) * price + Math.floor((partOfShare * price) / MICRO);
}

/** What `wholeMicroDollars` leaves out, in millionths of a micro-dollar. */
function restOfMicroDollar(size: number, price: Price): number {
  return ((size % MICRO) * price) % MICRO;
}
