/** Which batches a figure of the report is about; the list behind it takes the same words. */

import type { exportBatchResults } from '@dutchbook/contract/batch-results.ts';
import type { readReport } from '@dutchbook/contract/report.ts';
import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { type AnyColumn, and, eq, gt, gte, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { hasOrdersAt } from '../../trading/orders/venue-in.ts';
import type { RunSpan } from '../../trading/under-way/start-overs.ts';
import { inHour, inSizeBand } from './bands.ts';
import { batchResults, cashDays } from './table.ts';

/** `span`: the run that it is about; left out where there was one alone. */
export type InRun = { span?: RunSpan };
export type ReportFilter = z.output<typeof readReport.query> & InRun;
export type BatchFilter = z.output<typeof exportBatchResults.query> & InRun;

const DAY_MS = 86_400_000;

/** Batches that triggered in these days. */
export function matching(filter: ReportFilter): SQL | undefined {
  return and(withinDays(batchResults.triggeredAt, filter), matchingAnyDay(filter));
}

/** What became cash in these days, of batches that triggered on any. */
export function realisedWithin({ since, until, ...others }: ReportFilter): SQL | undefined {
  const { triggeredAt } = batchResults;
  return and(ofCashSpan({ since, until }), withinRun(triggeredAt, others.span), matchingAnyDay(others));
}

function matchingAnyDay(filter: ReportFilter): SQL | undefined {
  const { operator_id: operatorId, automatic, event_id: eventId, venue, source, structure } = filter;
  return and(
    operatorId === undefined ? undefined : eq(batchResults.operatorId, operatorId),
    automatic === undefined ? undefined : eq(batchResults.automatic, automatic),
    eventId === undefined ? undefined : eq(batchResults.eventId, eventId),
    venue === undefined ? undefined : hasOrdersAt(batchResults.batchId, venue),
    source === undefined ? undefined : isNamed(batchResults.source, source),
    structure === undefined ? undefined : isNamed(batchResults.structure, structure),
  );
}

export function matchingBatches(filter: BatchFilter): SQL | undefined {
  const { lock_day: lockDay, release_month: month, is_open: isOpen, size_band: band, hour } = filter;
  const cash = cashSpanOf(filter);
  return and(
    matching(filter),
    lockDay === undefined ? undefined : eq(batchResults.lockDay, lockDay),
    cash === null ? undefined : sql`exists (select 1 from ${cashDays} where ${and(IS_OF_BATCH, ofCashSpan(cash))})`,
    month === undefined ? undefined : isNamed(batchResults.releaseMonth, month === 'unknown' ? '' : month),
    isOpen === undefined ? undefined : isOpen ? IS_OPEN : lte(batchResults.locked, sql`0`),
    filter.reached === undefined ? undefined : REACHED[filter.reached],
    band === undefined ? undefined : inSizeBand(band),
    hour === undefined ? undefined : inHour(Number(hour)),
  );
}

const IS_OF_BATCH = eq(cashDays.batchId, batchResults.batchId);

/** Days of UTC, both included. */
export type CashSpan = { since: string | undefined; until: string | undefined };

/** Null where the cash of any day is asked for. */
export function cashSpanOf({ cash_day: day, cash_since: since, cash_until: until }: BatchFilter): CashSpan | null {
  if (day !== undefined) return { since: day, until: day };
  return since === undefined && until === undefined ? null : { since, until };
}

/** What became cash in these days. */
export function ofCashSpan({ since, until }: CashSpan): SQL | undefined {
  return and(
    since === undefined ? undefined : gte(cashDays.day, since),
    until === undefined ? undefined : lte(cashDays.day, until),
  );
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

/** The days of UTC from `since` to `until`, both included, as far as they are of the run. */
export function withinDays(
  at: AnyColumn,
  { since, until, span }: Pick<ReportFilter, 'since' | 'until' | 'span'>,
): SQL | undefined {
  return and(
    withinRun(at, span),
    since === undefined ? undefined : gte(at, startOf(since)),
    until === undefined ? undefined : lt(at, (startOf(until) + DAY_MS) as Instant),
  );
}

function withinRun(at: AnyColumn, { from, until }: RunSpan = EVER): SQL | undefined {
  return and(from === null ? undefined : gte(at, from), until === null ? undefined : lt(at, until));
}

const EVER: RunSpan = { from: null, until: null };

/** The empty name is that of what has none. */
export function isNamed(value: AnyColumn | SQL, name: string): SQL {
  return name === '' ? isNull(value) : sql`${value} = ${name}`;
}

function startOf(day: string): Instant {
  return instantFromIso(`${day}T00:00:00Z`);
}
