import type { readExecutionQuality } from '@dutchbook/contract/report.ts';
import { type Settlements, settlementFailuresGate } from '@dutchbook/engine/risk/settlement-failures.ts';
import { type Fraction, ratio } from '@dutchbook/units/fraction.ts';
import type { Micro } from '@dutchbook/units/micro.ts';
import type * as z from 'zod/mini';

type Served = z.output<typeof readExecutionQuality.reply>['settlements'];

export function presentSettlements(
  { confirmed, failed }: Pick<Settlements, 'confirmed' | 'failed'>,
  pauseAbove: Fraction | null,
): Served {
  const ended = (confirmed + failed) as Micro<'trades'>;
  const settlements = pauseAbove === null ? null : { confirmed, failed, pauseAbove };
  return {
    settled: confirmed,
    undone: failed,
    rate: ended === 0 ? null : ratio(failed as Micro<'trades'>, ended, 'up'),
    pauses_above: pauseAbove,
    is_paused: settlementFailuresGate({ settlements }) !== null,
  };
}
