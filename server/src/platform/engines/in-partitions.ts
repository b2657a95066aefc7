import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { endingsOf, PARTITIONS } from './division.ts';

/**
 * The rows whose opportunity is in one of the partitions; no condition where that is all of them, or `partitions` is null. The
 * endings are one parameter: of 256 of them each would take longer to send and to bind than most statements to carry out.
 */
export function inPartitions(opportunityId: AnyColumn, partitions: readonly number[] | null): SQL | undefined {
  if (partitions === null || partitions.length === PARTITIONS) return undefined;
  return sql`right(${opportunityId}::text, 2) = any(${`{${endingsOf(partitions)}}`}::text[])`;
}
