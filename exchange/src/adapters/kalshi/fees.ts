import type { Fraction } from '@dutchbook/units/fraction.ts';
import { divInteger, MICRO } from '@dutchbook/units/micro.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

export const FEE_TYPES = ['quadratic', 'quadratic_with_maker_fees', 'quadratic_with_combo_maker_fees', 'flat'] as const;
export type FeeType = (typeof FEE_TYPES)[number];

/** The kind of fee of a series, or of an event that has one of its own; the multiplier may be above one. */
export interface FeeTerms {
  readonly type: FeeType;
  readonly multiplier: Fraction;
}

const TAKER_RATE = 70_000;
/** The maker's part of the taker's fee, by kind of fee. `flat` has a table of its own, which is not published over the wire. */
const MAKER_PARTS: Readonly<Record<FeeType, number>> = {
  quadratic: 0,
  quadratic_with_maker_fees: 250_000,
  quadratic_with_combo_maker_fees: 500_000,
  flat: 0,
};

export function takerRate({ multiplier }: FeeTerms): Fraction {
  return divInteger(TAKER_RATE * multiplier, MICRO, 'up') as Fraction;
}

export function makerRate(terms: FeeTerms): Fraction {
  return divInteger(takerRate(terms) * MAKER_PARTS[terms.type], MICRO, 'up') as Fraction;
}

/** The smallest step of cash of a direct member and of a broker's client, in micro-dollars. */
export const MEMBER_GRIDS = { direct: 100, broker: 10_000 } as const;
export type MemberKind = keyof typeof MEMBER_GRIDS;

/** `rate * size * price * (1 - price)`, rounded up to a micro-dollar. */
export function tradeFee(size: Shares, price: Price, rate: Fraction): Usd {
  const exact = BigInt(size) * BigInt(rate) * BigInt(price) * BigInt(PRICE_ONE - price);
  return Number((exact + MICRO_CUBED - 1n) / MICRO_CUBED) as Usd;
}

const MICRO_CUBED = 10n ** 18n;

/** The excess that rounding has cost an order over all of its fills. */
export interface Accumulator {
  micro: number;
}

/**
 * The whole fee of one fill. `revenue` is what the fill alone brings, below zero for a buyer. The change of the cash is
 * rounded down to the member's grid; what that takes is kept for the order, and is given back in whole steps of the grid as
 * far as the fill has fees to give back from.
 */
export function feeOfFill(fee: Usd, revenue: Usd, grid: number, accumulator: Accumulator): Usd {
  const change = revenue - fee;
  const rounding = change - divInteger(change, grid, 'down') * grid;
  accumulator.micro += rounding;
  const charged = fee + rounding;
  const rebate = Math.floor(Math.min(accumulator.micro, charged) / grid) * grid;
  accumulator.micro -= rebate;
  return (charged - rebate) as Usd;
}
