import type { Fraction } from '@dutchbook/units/fraction.ts';
import { MICRO, UnitError } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { ONE_SHARE, type Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Level } from '../book/level.ts';

/** The venue books fees to five decimals of a dollar. */
const FEE_STEP = 10;

/**
 * The venue's taker fee `size * rate * price * (1 - price)`, to five decimals, rounded up: the venue does not document
 * its rounding, so what we plan for is never less than what it takes.
 * @throws UnitError when the fee is too large to hold exactly.
 */
export function takerFee(size: Shares, price: Price, rate: Fraction): Usd {
  if (size === ONE_SHARE) return feePerShare(price, rate);
  if (rate === 0) return 0 as Usd;
  const spread = BigInt(price) * BigInt(MICRO - price);
  const steps = (BigInt(size) * BigInt(rate) * spread + FEE_SCALE - 1n) / FEE_SCALE;
  const fee = Number(steps) * FEE_STEP;
  if (!Number.isSafeInteger(fee)) throw new UnitError(`the fee of ${size} micro-shares is too large to hold exactly`);
  return fee as Usd;
}

/** The fee of shares taken level by level, each level being a trade of its own. */
export function takerFeeOfLevels(taken: readonly Level[], rate: Fraction): Usd {
  return taken.reduce((sum, { price, size }) => sum + takerFee(size, price, rate), 0) as Usd;
}

/** size, rate, price and (1 - price) are each in millionths, and a step is ten millionths of a dollar. */
const FEE_SCALE = 10n ** 19n;

/**
 * The fee of one share, which every pricing asks for, without big integers: `spread` is split so that no product
 * outgrows a double, and rounding a quotient up in two steps gives the same as rounding it up once.
 */
function feePerShare(price: Price, rate: Fraction): Usd {
  const spread = price * (MICRO - price);
  const low = spread % MICRO;
  const high = (spread - low) / MICRO;
  const scaled = high * rate + Math.ceil((low * rate) / MICRO);
  return (Math.ceil(scaled / (MICRO * FEE_STEP)) * FEE_STEP) as Usd;
}
