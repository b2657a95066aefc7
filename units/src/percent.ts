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

const DAYS_PER_YEAR = 365;
const ANNUALISED_SHOWN_TO = 10_000_000_000 as Percent;

/** What the screens say in place of a return a year of cash that is back within a day. */
export const NO_YEARLY_REASON = 'the cash is back within a day, so a return a year says nothing';

/** Whether the cash is back within a day: a return a year is the profit times 365 over the days until then. */
export function isBackWithinDay(annualised: Percent | null, profit: Percent | null): boolean {
  if (annualised === null || profit === null) return false;
  return profit > PERCENT_ZERO && annualised > profit * DAYS_PER_YEAR;
}

/** The return a year of a profit, as screens show it: a dash for what loses, is not known, or is cash again within a day. */
export function formatAnnualised(annualised: Percent | null, profit: Percent | null): string {
  if (annualised === null || annualised <= PERCENT_ZERO || isBackWithinDay(annualised, profit)) return '–';
  return annualised > ANNUALISED_SHOWN_TO ? '>10,000%' : formatPercent(annualised);
}
