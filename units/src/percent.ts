import { type Micro, microFromNumber, microToFixed, microToNumber, mulDiv, type Rounding } from './micro.ts';

/** Percent in millionths of a percent: 800,000 is 0.8 %. Never mixed with `Fraction`. */
export type Percent = Micro<'percent'>;

export const PERCENT_ZERO = 0 as Percent;

/** @throws UnitError unless finite; rounded to the nearest millionth of a percent. */
export function percentFromNumber(value: number): Percent {
  return microFromNumber(value, 'percent') as Percent;
}

/** `part / whole` of two quantities of the same unit, in percent; `whole` is positive. */
export function percentOf<U extends string>(part: Micro<U>, whole: Micro<U>, rounding: Rounding): Percent {
  return mulDiv(part, 100_000_000, whole, rounding) as Percent;
}

export const percentToNumber: (percent: Percent) => number = microToNumber;

/** Two decimals and a percent sign, as every screen shows a profit. */
export function formatPercent(percent: Percent): string {
  return `${microToFixed(percent, 2)}%`;
}

/** What is cash again within minutes makes a figure that compares with nothing. */
const ANNUALISED_SHOWN_TO = 10_000_000_000 as Percent;

/** A return as if all year, as screens show it: a dash for what loses or is not known. */
export function formatAnnualised(annualised: Percent | null): string {
  if (annualised === null || annualised <= PERCENT_ZERO) return '–';
  return annualised > ANNUALISED_SHOWN_TO ? '>10,000%' : formatPercent(annualised);
}
