import type { Instant } from '@dutchbook/units/instant.ts';
import { and, desc, gte, inArray, isNotNull, or } from 'drizzle-orm';
import { RETRYABLE_STATUSES } from '../../batches/store.ts';
import { inShares } from '../../engines/in-shares.ts';
import { batches } from '../../world/schema.ts';
import type { Db } from '../../world/world.ts';

/** Nobody watches more batches than this at once, and what ended before so many others is left to a person. */
const READ_MAX = 500;

/** What may still call for something of a batch of which nothing is under way: a retry, or telling people of its risk. */
export type Aftermath = Pick<
  typeof batches.$inferSelect,
  'id' | 'executionCompletedAt' | 'retryCount' | 'unhedgedSince' | 'legRiskToldAt'
>;

/** Newest first, of these shares: batches that are unhedged, and those that ended without being completed since `endedSince`. */
export async function readAftermath(
  db: Db,
  endedSince: Instant,
  shares: readonly number[] | null,
): Promise<Aftermath[]> {
  const { id, status, executionCompletedAt, retryCount, unhedgedSince, legRiskToldAt, createdAt, unhedged } = batches;
  return await db
    .select({ id, executionCompletedAt, retryCount, unhedgedSince, legRiskToldAt })
    .from(batches)
    .where(
      and(
        or(isNotNull(unhedged), and(inArray(status, [...RETRYABLE_STATUSES]), gte(executionCompletedAt, endedSince))),
        inShares(batches.opportunityId, shares),
      ),
    )
    .orderBy(desc(createdAt))
    .limit(READ_MAX);
}
