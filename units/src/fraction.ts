import { MICRO, type Micro, microFromNumber, microFromText, microToNumber, mulDiv, type Rounding } from './micro.ts';

/** A share of one in millionths: 50,000 is 0.05. Fee rates and success rates are fractions. */
export type Fraction = Micro<'fraction'>;

export const FRACTION_ZERO = 0 as Fraction;
export const FRACTION_ONE = MICRO as Fraction;

/** @throws UnitError unless a decimal with at most six decimals. */
export function fractionFromText(text: string): Fraction {
  return microFromText(text, 'fraction') as Fraction;
}

/** @throws UnitError unless finite; rounded to the nearest millionth. */
export function fractionFromNumber(value: number): Fraction {
  return microFromNumber(value, 'fraction') as Fraction;
}

/** `part / whole` of two quantities of the same unit; `whole` is positive. */
export function ratio<U extends string>(part: Micro<U>, whole: Micro<U>, rounding: Rounding): Fraction {
  return mulDiv(part, MICRO, whole, rounding) as Fraction;
}

export const fractionToNumber: (fraction: Fraction) => number = microToNumber;
