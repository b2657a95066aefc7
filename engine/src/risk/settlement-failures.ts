import type { Fraction } from '@dutchbook/units/fraction.ts';
import { MICRO, type Micro } from '@dutchbook/units/micro.ts';
import { type Percent, percentOf, percentToNumber } from '@dutchbook/units/percent.ts';
import type { Blocker, GateContext } from './context.ts';
import { tellApart } from './wording.ts';

/** Trades whose settlement ended in the last 24 hours, and the share of failed ones above which buying pauses. */
export type Settlements = { confirmed: number; failed: number; pauseAbove: Fraction };

/** Fewest settlements for a failure rate. */
const LEAST_SETTLEMENTS = 10;

/** A trade that fails to settle leaves the other legs unhedged: while that happens often, nothing is bought. */
export function settlementFailuresGate({ settlements = null }: Pick<GateContext, 'settlements'>): Blocker | null {
  if (settlements === null) return null;
  const { confirmed, failed, pauseAbove } = settlements;
  const ended = confirmed + failed;
  if (ended < LEAST_SETTLEMENTS || failed * MICRO <= pauseAbove * ended) return null;
  const actual = percentOf(failed as Micro<'trades'>, ended as Micro<'trades'>, 'down');
  const required = (pauseAbove * 100) as Percent;
  const [share, limit] = tellApart(actual, required);
  const message = `${failed} of ${ended} settlements of the last 24 hours failed, ${share}%, and buying pauses above ${limit}%`;
  return {
    gate: 'settlement-failures',
    message,
    actual: percentToNumber(actual),
    required: percentToNumber(required),
  };
}
