import type { Instant } from '@dutchbook/units/instant.ts';
import { and, desc, gte, inArray, isNotNull, or } from 'drizzle-orm';
import { inPartitions } from '../../../platform/engines/in-partitions.ts';
import type { Db } from '../../../platform/runtime/runtime.ts';
import { RETRYABLE_STATUSES } from '../../orders/batch-store.ts';
import { batches } from '../../orders/table.ts';

/** Only this many ended batches are watched; older ones are left to a person. */
const READ_MAX = 500;

/** The columns that decide whether an ended batch still needs a retry, or a notification of leg risk. */
export type EndedBatch = Pick<
  typeof batches.$inferSelect,
  'id' | 'simulated' | 'executionCompletedAt' | 'retryCount' | 'unhedgedSince' | 'legRiskNotifiedAt'
>;

/** Newest first, of these partitions: batches that are unhedged, and those that ended without being completed since `endedSince`. */
export async function readEndedBatches(
  db: Db,
  endedSince: Instant,
  partitions: readonly number[] | null,
): Promise<EndedBatch[]> {
  const { id, status, simulated, executionCompletedAt, retryCount, unhedgedSince, legRiskNotifiedAt } = batches;
  const { createdAt, unhedged } = batches;
  return await db
    .select({ id, simulated, executionCompletedAt, retryCount, unhedgedSince, legRiskNotifiedAt })
    .from(batches)
    .where(
      and(
        or(isNotNull(unhedged), and(inArray(status, [...RETRYABLE_STATUSES]), gte(executionCompletedAt, endedSince))),
        inPartitions(batches.opportunityId, partitions),
      ),
    )
    .orderBy(desc(createdAt))
    .limit(READ_MAX);
}
