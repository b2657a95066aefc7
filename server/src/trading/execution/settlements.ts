/** How many settlements of the last day failed: read by the clock, so that no decision to buy waits for the count. */
import type { ReportSettings } from '@dutchbook/contract/report/report-settings.ts';
import type { Settlements } from '@dutchbook/engine/risk/settlement-failures.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, eq, gte, not, notLike, sql } from 'drizzle-orm';
import type { WatchedVenueSettings } from '../../people/system-settings/venue-settings.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { batches, fills } from '../orders/table.ts';

const READ_EVERY_MS = 5000;
const DAY_MS = 86_400_000;

type Counted = Pick<Settlements, 'confirmed' | 'failed'>;

/** Null where buying does not pause, and nothing is counted. */
export type FollowedSettlements = { current: () => Settlements | null; stop: () => void };

/** @throws when they cannot be counted at first */
export async function followSettlements(
  { clock, db, timers, log }: Pick<Runtime, 'clock' | 'db' | 'timers' | 'log'>,
  settings: Pick<WatchedVenueSettings<ReportSettings>, 'current' | 'onChange'>,
): Promise<FollowedSettlements> {
  let counted: Counted | null = null;
  const failures = openFailureLog(log, 'warn', 'settlements of the last day not counted');
  const count = async () => {
    const isWanted = settings.current().pause_above_failed !== null;
    counted = isWanted ? await countSettlements(db, clock.now()) : null;
  };
  const countAgain = async () => {
    try {
      await count();
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  };
  await count();
  const stops = [timers.every(READ_EVERY_MS, countAgain), settings.onChange(() => void countAgain())];
  return {
    current: () => {
      const { pause_above_failed: pauseAbove } = settings.current();
      return pauseAbove === null || counted === null ? null : { ...counted, pauseAbove };
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** Counts settlements of trades at the venue, without calls of contracts, which are booked once proven, and simulated trades. */
export async function countSettlements(db: Db, now: Instant): Promise<Counted> {
  const [row] = await db
    .select({
      confirmed: sql<number>`count(*) filter (where ${fills.settlement} = 'confirmed')`.mapWith(Number),
      failed: sql<number>`count(*) filter (where ${fills.settlement} = 'failed')`.mapWith(Number),
    })
    .from(fills)
    .innerJoin(batches, eq(batches.id, fills.batchId))
    .where(
      and(gte(fills.settledAt, (now - DAY_MS) as Instant), notLike(fills.tradeId, 'chain:%'), not(batches.simulated)),
    );
  return row ?? { confirmed: 0, failed: 0 };
}
