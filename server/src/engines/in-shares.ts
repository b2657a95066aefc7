import { type AnyColumn, inArray, type SQL, sql } from 'drizzle-orm';
import { endingsOf } from './division.ts';

/** The rows whose opportunity is in one of the shares; no condition where `shares` is null. */
export function inShares(opportunityId: AnyColumn, shares: readonly number[] | null): SQL | undefined {
  return shares === null ? undefined : inArray(sql`right(${opportunityId}::text, 2)`, endingsOf(shares));
}
