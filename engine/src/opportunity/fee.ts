import { MICRO, UnitError } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { ONE_SHARE, type Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Level } from '../book/level.ts';
import type { FeeSchedule } from '../market/market.ts';

/**
 * What the venue takes of a taker for one match, rounded up: where it does not document its rounding, what we plan for is
 * never less than what it takes.
 * @throws UnitError when the fee is too large to hold exactly.
 */
export function takerFee(size: Shares, price: Price, schedule: FeeSchedule): Usd {
  const { rate, step } = schedule;
  if (size === ONE_SHARE) return feePerShare(price, schedule);
  if (rate === 0) return 0 as Usd;
  const spread = BigInt(price) * BigInt(MICRO - price);
  const scale = FEE_SCALE * BigInt(step);
  const steps = (BigInt(size) * BigInt(rate) * spread + scale - 1n) / scale;
  const fee = Number(steps) * step;
  if (!Number.isSafeInteger(fee)) throw new UnitError(`the fee of ${size} micro-shares is too large to hold exactly`);
  return fee as Usd;
}

/** The fee of one share in micro-dollars before it is rounded, for comparisons of many sizes. */
export function unroundedFeePerShare(price: Price, { rate }: FeeSchedule): number {
  return (rate / MICRO) * price * (1 - price / MICRO);
}

/** The fee of shares taken level by level, each level being a match of its own. */
export function takerFeeOfLevels(taken: readonly Level[], schedule: FeeSchedule): Usd {
  return taken.reduce((sum, { price, size }) => sum + takerFee(size, price, schedule), 0) as Usd;
}

/** size, rate, price and (1 - price) are each in millionths, and so is the fee. */
const FEE_SCALE = 10n ** 18n;

/**
 * The fee of one share, which every pricing asks for, without big integers: `spread` is split so that no product
 * outgrows a double, and rounding a quotient up in two steps gives the same as rounding it up once.
 */
function feePerShare(price: Price, { rate, step }: FeeSchedule): Usd {
  const spread = price * (MICRO - price);
  const low = spread % MICRO;
  const high = (spread - low) / MICRO;
  const scaled = high * rate + Math.ceil((low * rate) / MICRO);
  return (Math.ceil(scaled / (MICRO * step)) * step) as Usd;
}
