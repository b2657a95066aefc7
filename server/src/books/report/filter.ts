/** Which batches a figure of the report is about; the list behind it takes the same words. */

import type { exportBatchResults } from '@dutchbook/contract/batch-results.ts';
import type { readReport } from '@dutchbook/contract/report.ts';
import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { type AnyColumn, and, eq, gt, gte, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { inHour, inSizeBand } from './bands.ts';
import { batchResults, cashDays } from './table.ts';

export type ReportFilter = z.output<typeof readReport.query>;
export type BatchFilter = z.output<typeof exportBatchResults.query>;

const DAY_MS = 86_400_000;

export function matching(filter: ReportFilter): SQL | undefined {
  const { operator_id: operatorId, automatic, event_id: eventId, source, structure } = filter;
  return and(
    withinDays(batchResults.triggeredAt, filter),
    operatorId === undefined ? undefined : eq(batchResults.operatorId, operatorId),
    automatic === undefined ? undefined : eq(batchResults.automatic, automatic),
    eventId === undefined ? undefined : eq(batchResults.eventId, eventId),
    source === undefined ? undefined : isNamed(batchResults.source, source),
    structure === undefined ? undefined : isNamed(batchResults.structure, structure),
  );
}

export function matchingBatches(filter: BatchFilter): SQL | undefined {
  const { lock_day: lockDay, cash_day: cashDay, release_month: month, is_open: isOpen, size_band: band, hour } = filter;
  return and(
    matching(filter),
    lockDay === undefined ? undefined : eq(batchResults.lockDay, lockDay),
    cashDay === undefined ? undefined : sql`exists (select 1 from ${cashDays} where ${ofCashDay(cashDay)})`,
    month === undefined ? undefined : isNamed(batchResults.releaseMonth, month === 'unknown' ? '' : month),
    isOpen === undefined ? undefined : isOpen ? IS_OPEN : lte(batchResults.locked, sql`0`),
    filter.reached === undefined ? undefined : REACHED[filter.reached],
    band === undefined ? undefined : inSizeBand(band),
    hour === undefined ? undefined : inHour(Number(hour)),
  );
}

/** What of a batch became cash on a day. */
export function ofCashDay(day: string): SQL | undefined {
  return and(eq(cashDays.batchId, batchResults.batchId), eq(cashDays.day, day));
}

/** As the index on what is open says it. */
export const IS_OPEN = gt(batchResults.locked, sql.raw('0'));

const { filledShares, lockDay, cashDay } = batchResults;
const isFilled = gt(filledShares, sql.raw('0'));

/** Steps of the funnel that a batch may reach after it was placed. What is cash is as good as locked, whatever it held. */
export const REACHED = {
  filled: isFilled,
  locked: and(isFilled, or(isNotNull(lockDay), isNotNull(cashDay))),
  cash: and(isFilled, isNotNull(cashDay)),
};

/** The days of UTC from `since` to `until`, both included. */
export function withinDays(at: AnyColumn, { since, until }: Pick<ReportFilter, 'since' | 'until'>): SQL | undefined {
  return and(
    since === undefined ? undefined : gte(at, startOf(since)),
    until === undefined ? undefined : lt(at, (startOf(until) + DAY_MS) as Instant),
  );
}

/** The empty name is that of what has none. */
export function isNamed(value: AnyColumn | SQL, name: string): SQL {
  return name === '' ? isNull(value) : sql`${value} = ${name}`;
}

function startOf(day: string): Instant {
  return instantFromIso(`${day}T00:00:00Z`);
}
