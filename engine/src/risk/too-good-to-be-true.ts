import { type Percent, percentToNumber } from '@dutchbook/units/percent.ts';
import type { Blocker, GateContext } from './context.ts';
import { tellApart } from './wording.ts';

/** More than this is not a gift but a stale book, a misread market or a set that is not complete. */
const BELIEVABLE_PROFIT_PCT = 20_000_000 as Percent;

/** Whether a net profit is beyond belief. */
export function isTooGoodToBeTrue(profitPct: Percent): boolean {
  return profitPct > BELIEVABLE_PROFIT_PCT;
}

/** The profit is believable. One that is not waits for a person. */
export function tooGoodToBeTrueGate({ value }: GateContext): Blocker | null {
  if (value.kind === 'unpriced' || !isTooGoodToBeTrue(value.profitPct)) return null;
  const [actual, believed] = tellApart(value.profitPct, BELIEVABLE_PROFIT_PCT);
  return {
    gate: 'too-good-to-be-true',
    message: `net ${actual}%, more than ${believed}% is not believed`,
    actual: percentToNumber(value.profitPct),
    required: percentToNumber(BELIEVABLE_PROFIT_PCT),
  };
}
