import {
  divInteger,
  MICRO,
  type Micro,
  microFromNumber,
  microFromText,
  microToFixed,
  microToNumber,
  microToText,
  UnitError,
} from './micro.ts';

/** Shares of one outcome, in millionths; never negative. */
export type Shares = Micro<'shares'>;

export const SHARES_ZERO = 0 as Shares;
export const ONE_SHARE = MICRO as Shares;

/** @throws UnitError unless a non-negative decimal with at most six decimals. */
export function sharesFromText(text: string): Shares {
  return notNegative(microFromText(text, 'shares'));
}

/** @throws UnitError unless finite and not negative; rounded to the nearest millionth. */
export function sharesFromNumber(value: number): Shares {
  return notNegative(microFromNumber(value, 'shares'));
}

/** From an integer count of millionths, as stored. @throws UnitError unless a safe integer, not negative. */
export function sharesFromMicro(micro: number): Shares {
  if (!Number.isSafeInteger(micro)) throw new UnitError(`shares: ${micro} is not a whole number of micro-shares`);
  return notNegative(micro);
}

export function addShares(a: Shares, b: Shares): Shares {
  return (a + b) as Shares;
}

/** `a - b`. @throws UnitError when that would be negative. */
export function subtractShares(a: Shares, b: Shares): Shares {
  return notNegative(a - b);
}

export function minShares(a: Shares, b: Shares): Shares {
  return a < b ? a : b;
}

/** A hundredth of a share: no order has a part of it, and a smaller rest counts as nothing. */
export const LEAST_SIZE = 10_000;

/** The whole multiple of `step` at or below. */
export function roundSharesDown(shares: Shares, step: number): Shares {
  return (shares - (shares % step)) as Shares;
}

/** The smallest whole number of shares at or above. */
export function roundUpToWholeShares(shares: Shares): Shares {
  return (divInteger(shares, MICRO, 'up') * MICRO) as Shares;
}

export const sharesToNumber: (shares: Shares) => number = microToNumber;
export const sharesToText: (shares: Shares) => string = microToText;

/** Two decimals, as every screen shows a size. */
export function formatShares(shares: Shares): string {
  return microToFixed(shares, 2);
}

function notNegative(micro: number): Shares {
  if (micro < 0) throw new UnitError(`shares: ${microToText(micro)} is negative`);
  return micro as Shares;
}
