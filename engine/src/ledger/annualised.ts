import type { Fraction } from '@dutchbook/units/fraction.ts';
import { MICRO } from '@dutchbook/units/micro.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

const DAYS_PER_YEAR = 365;
/** A return beyond a million times a year says only that next to nothing was bound. */
const RETURN_MAX = 1_000_000 * MICRO;

/**
 * What a dollar that is bound for a year earns at this pace, without compounding. `capitalDays`: dollars times days. Null where
 * nothing was bound.
 */
export function annualisedReturn(profit: Usd, capitalDays: Usd): Fraction | null {
  if (capitalDays <= 0) return null;
  const perYear = Math.round((profit / capitalDays) * DAYS_PER_YEAR * MICRO);
  return Math.min(Math.max(perYear, -RETURN_MAX), RETURN_MAX) as Fraction;
}
