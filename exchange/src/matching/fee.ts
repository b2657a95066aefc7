import type { Fraction } from '@dutchbook/units/fraction.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

const TEN_MICRO_DOLLARS = 10n;
const MICRO_CUBED = 10n ** 18n;

/** `shares * rate * p * (1 - p)`, rounded up to five decimals of a dollar. */
export function takerFee(shares: Shares, price: Price, rate: Fraction): Usd {
  const exact = BigInt(shares) * BigInt(rate) * BigInt(price) * BigInt(PRICE_ONE - price);
  const step = MICRO_CUBED * TEN_MICRO_DOLLARS;
  return Number(((exact + step - 1n) / step) * TEN_MICRO_DOLLARS) as Usd;
}
