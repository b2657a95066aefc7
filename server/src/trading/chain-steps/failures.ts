/** Recent failures of automatic requests by market; each retry waits longer, and one alarm is sent. */

import { type Failures, triedAgainAt } from '@dutchbook/engine/exit/back-off.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, asc, eq, gt, isNotNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { DISARMED } from './chain-loop-parts.ts';
import type { StepRow, Submission, SubmissionRow } from './store.ts';
import { chainSteps, chainSubmissions } from './table.ts';

export type FailuresByMarket = ReadonlyMap<string, Failures>;

const REMEMBERED_MS = 24 * 3_600_000;

/** Failures of all automatic requests. */
export async function automaticFailures(
  db: Db,
  purpose: SubmissionRow['purpose'],
  now: Instant,
): Promise<FailuresByMarket> {
  return await failuresOf(db, purpose, eq(chainSubmissions.automatic, true), now);
}

/** Failures of one automatic request. */
export async function failuresOfRequest(db: Db, requestId: string, now: Instant): Promise<FailuresByMarket> {
  return await failuresOf(db, 'cash_now', eq(chainSubmissions.requestId, requestId), now);
}

/** Whether all that it was to do failed before, so that people know of it. */
export async function isKnownToFail(db: Db, { row, steps }: Submission): Promise<boolean> {
  const same = eq(chainSubmissions.requestId, row.requestId);
  const repeated = row.automatic ? or(eq(chainSubmissions.automatic, true), same) : same;
  const before = and(repeated, ne(chainSubmissions.id, row.id));
  const failures = await failuresOf(db, row.purpose, before, row.endedAt ?? row.createdAt);
  return steps.flatMap(concernsOf).every((id) => failures.has(id));
}

export function isHeldBack(failures: FailuresByMarket, marketIds: readonly MarketId[], now: Instant): boolean {
  return marketIds.some((id) => {
    const failed = failures.get(id);
    return failed !== undefined && triedAgainAt(failed) > now;
  });
}

/** Failures since the last success of each market; a disarmed attempt is none. */
async function failuresOf(
  db: Db,
  purpose: SubmissionRow['purpose'],
  where: SQL | undefined,
  now: Instant,
): Promise<FailuresByMarket> {
  const { status, error, endedAt, createdAt, byVenue } = chainSubmissions;
  const since = (now - REMEMBERED_MS) as Instant;
  const ended = and(isNotNull(endedAt), lte(endedAt, now), gt(createdAt, since), eq(byVenue, false));
  const rows = await db
    .select({
      endedAt: sql<Instant>`${endedAt}`.mapWith(endedAt),
      marketIds: chainSteps.marketIds,
      contract: chainSteps.contract,
      isDone: sql<boolean>`${status} = 'confirmed' and coalesce(${chainSteps.proof} ->> 'kind', 'proven') = 'proven'`,
    })
    .from(chainSubmissions)
    .innerJoin(chainSteps, eq(chainSteps.submissionId, chainSubmissions.id))
    .where(and(where, ended, eq(chainSubmissions.purpose, purpose), sql`${error} is distinct from ${DISARMED}`))
    .orderBy(asc(endedAt));
  const failures = new Map<string, Failures>();
  for (const { isDone, endedAt: lastAt, ...step } of rows)
    for (const id of concernsOf(step)) {
      if (isDone) failures.delete(id);
      else failures.set(id, { times: (failures.get(id)?.times ?? 0) + 1, lastAt });
    }
  return failures;
}

/** The markets of a step; of an approval its contract. */
function concernsOf({ marketIds, contract }: Pick<StepRow, 'marketIds' | 'contract'>): string[] {
  return contract === null ? marketIds : [contract];
}
