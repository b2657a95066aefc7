import { type AnyColumn, inArray, type SQL, sql } from 'drizzle-orm';
import { endingsOf } from './division.ts';

/** The rows whose opportunity is in one of the partitions; no condition where `partitions` is null. */
export function inPartitions(opportunityId: AnyColumn, partitions: readonly number[] | null): SQL | undefined {
  return partitions === null ? undefined : inArray(sql`right(${opportunityId}::text, 2)`, endingsOf(partitions));
}
