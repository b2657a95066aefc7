/**
 * When a row was changed, in tables that several processes write to: of two states that reach a tab in any order it shows the
 * one with the later `updated_at`, so that never goes back, though the machine that writes now may be behind the one before.
 */
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

/** For a row that is locked. */
export function notBefore({ updatedAt }: { updatedAt: Instant }, now: Instant): Instant {
  return Math.max(updatedAt, now) as Instant;
}

/** `now` or the stored time, whichever is later, as a term of the statement that changes rows. */
export function noEarlier(updatedAt: AnyColumn, now: Instant): SQL {
  return sql`greatest(${updatedAt}, ${instantToIso(now)}::timestamptz)`;
}
