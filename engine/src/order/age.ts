/** How old a decision, a mark or a lease may be for an order to leave by it. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { AttemptStatus } from './life.ts';

/** A decision older than this is judged again before an order leaves. */
const DECISION_AGE_MAX_MS = 1000;
/** A prepared placement older than this is prepared again: other decisions held the account's lock meanwhile. */
const PREPARATION_AGE_MAX_MS = 100;
/** Time kept in hand before a lease ends: a post that could leave after that is not begun. */
const LEASE_MARGIN_MS = 1000;
/** An attempt marked as sent longer ago than this is marked again before it is posted: trading may have been disarmed since. */
const POST_WITHIN_MS = 500;
/** A sell order that has waited for longer than this no longer is the sale that the user saw and decided. */
const SALE_AGE_MAX_MS = 30_000;
/** An order that sells drops what it does not fill at once; one that rests all the same is taken off the book. */
const SALE_RESTS_MAX_MS = 5000;

export function isDecisionOld(decidedAt: Instant, now: Instant): boolean {
  return now - decidedAt >= DECISION_AGE_MAX_MS;
}

/** When that is: what has not left by then keeps no dollars from others. */
export function decisionHoldsUntil(decidedAt: Instant): Instant {
  return (decidedAt + DECISION_AGE_MAX_MS) as Instant;
}

/** Whether what was prepared while the account was asked has to be made anew. */
export function isPreparationOld(preparedAt: Instant, now: Instant): boolean {
  return now - preparedAt > PREPARATION_AGE_MAX_MS;
}

/** Only the holder of the lease posts, and a disarm meanwhile knows when the last order can have left. */
export function mayPost(
  { leaseExpiresAt, markedAt }: { leaseExpiresAt: Instant; markedAt: Instant },
  now: Instant,
): boolean {
  return now <= leaseExpiresAt - LEASE_MARGIN_MS && now - markedAt <= POST_WITHIN_MS;
}

/** Whether nothing of a sell order has left, and nothing may any more. */
export function isSaleOutdated(
  { decidedAt, attempts }: { decidedAt: Instant; attempts: readonly { status: AttemptStatus }[] },
  now: Instant,
): boolean {
  return now - decidedAt > SALE_AGE_MAX_MS && attempts.every(({ status }) => status === 'prepared');
}

/** The moment at which what still rests of a sale that was to fill at once is canceled. */
export function saleRestsUntil(decidedAt: Instant): Instant {
  return (decidedAt + SALE_RESTS_MAX_MS) as Instant;
}

/** Shortest and longest time of a waiting sale: the venue needs minutes, and a month-old price says little about today's. */
const SALE_WAITS_MIN_MS = 300_000;
const SALE_WAITS_MAX_MS = 30 * 86_400_000;

/** Why a sale cannot wait until then: a sentence, or null. Without an end it waits until a user cancels it. */
export function waitingTimeRefusal(until: Instant | null, now: Instant): string | null {
  if (until === null) return null;
  if (until - now < SALE_WAITS_MIN_MS) return 'A sale waits for at least 5 minutes.';
  return until - now > SALE_WAITS_MAX_MS ? 'A sale waits for at most 30 days.' : null;
}
