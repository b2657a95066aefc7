import { ratio } from '@dutchbook/units/fraction.ts';
import { MICRO } from '@dutchbook/units/micro.ts';
import { type Percent, percentToNumber } from '@dutchbook/units/percent.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import type { Blocker, GateContext } from './context.ts';
import { tellApart } from './wording.ts';

/** Percent, in which people read it, of a fraction, in which the setting is kept. */
const PERCENT_PER_FRACTION = 100;

/** The set has not moved further from the quoted price than allowed, either way: a leap down may be a wrong price too. */
export function priceDeviationGate({ value, quotedPrice, settings }: GateContext): Blocker | null {
  if (value.kind === 'unpriced' || quotedPrice === null) return null;
  const moved = Math.abs(value.currentPrice - quotedPrice) as Price;
  const deviation = quotedPrice === 0 ? MICRO : ratio(moved, quotedPrice, 'up');
  if (deviation <= settings.maxDeviation) return null;
  const actual = (deviation * PERCENT_PER_FRACTION) as Percent;
  const allowed = (settings.maxDeviation * PERCENT_PER_FRACTION) as Percent;
  const [by, atMost] = tellApart(actual, allowed);
  const way = `from ${formatPrice(quotedPrice)} to ${formatPrice(value.currentPrice)}`;
  return {
    gate: 'price-deviation',
    message: `the price moved ${by}% ${way}, at most ${atMost}% is allowed`,
    actual: percentToNumber(actual),
    required: percentToNumber(allowed),
  };
}
