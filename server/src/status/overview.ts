import type { readOverview as readOverviewCall } from '@dutchbook/contract/status.ts';
import { utcDayOf } from '@dutchbook/engine/batch/realised.ts';
import { type Instant, startOfUtcDay } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { and, count, eq, gte, inArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { realisedOn } from '../books/report/summary.ts';
import { countOpportunities } from '../market/opportunities/store.ts';
import { countedNotifications, totalOf } from '../people/notifications/counts.ts';
import type { Db } from '../platform/runtime/runtime.ts';
import { listStops } from '../trading/fee-stops/store.ts';
import { ACTIVE_STATUSES, EXPOSED } from '../trading/orders/batch-store.ts';
import { batches } from '../trading/orders/table.ts';
import type { readMoney } from './money.ts';

type Overview = Omit<
  z.output<typeof readOverviewCall.reply>,
  keyof Awaited<ReturnType<typeof readMoney>> | 'practice' | 'missed_today' | 'first_steps'
>;

const FEE_STOPS_SHOWN = 10;

/** What an operator wants to know first; today is that of UTC, as all days of the report. */
export async function readOverview(db: Db, now: Instant): Promise<Overview> {
  return {
    active_opportunities: await countOpportunities(db, { active: true }),
    triggered_opportunities: await countOpportunities(db, { triggered: true }),
    ...(await overviewOfBatches(db, startOfUtcDay(now))),
    realised_today_usd: await realisedOn(db, utcDayOf(now)),
    fee_stops: (await listStops(db, { standing: true, skip: 0, limit: FEE_STOPS_SHOWN })).data,
    failed_notifications: totalOf(await countedNotifications(db, { status: 'failed' })),
  };
}

/** A simulated batch runs like any other, and neither holds anything nor earns anything. */
async function overviewOfBatches(db: Db, today: Instant) {
  const running = inArray(batches.status, [...ACTIVE_STATUSES]);
  const endedToday = and(eq(batches.simulated, false), gte(batches.executionCompletedAt, today));
  const [found] = await db
    .select({
      running: countWhere(running),
      unhedged: countWhere(EXPOSED),
      unhedgedLoss: sumWhere(sql`(${batches.unhedged} ->> 'worstLoss')::bigint`, EXPOSED),
      endedToday: countWhere(endedToday),
    })
    .from(batches)
    .where(or(running, EXPOSED, endedToday));
  return {
    running_batches: found?.running ?? 0,
    unhedged_batches: found?.unhedged ?? 0,
    unhedged_usd: (found?.unhedgedLoss ?? 0) as Usd,
    batches_today: found?.endedToday ?? 0,
  };
}

function countWhere(condition: SQLWrapper | undefined) {
  return sql`${count()} filter (where ${condition})`.mapWith(Number);
}

function sumWhere(amount: SQLWrapper, condition: SQL | undefined) {
  return sql`coalesce(sum(${amount}) filter (where ${condition}), 0)`.mapWith(Number);
}
