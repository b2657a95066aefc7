/** Where an attempt stands by what was read of it, and by what the venue said of its cancellation. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { type Attempt, firstSentAt } from './attempt.ts';
import type { AttemptUpdate } from './attempt-update.ts';
import { endingOf } from './ending.ts';
import { collapseFills, type Fill } from './fill.ts';
import { type AttemptStatus, filledSize } from './life.ts';
import { type OrderLookup, wordOf } from './lookup.ts';

export type Standing = Pick<AttemptUpdate, 'event' | 'matchedSize' | 'goneAt' | 'unanswered'>;

type Read = Pick<Attempt, 'size' | 'sentAt' | 'createdAt' | 'matchedSize' | 'goneAt'>;

/**
 * A venue forgets orders that are done, and then shows only their trades, or nothing: `endingOf` says when that proves
 * its end. Until then what was said of it before still holds. `fills` were read after the order.
 */
export function standingOf(
  attempt: Read,
  lookup: OrderLookup,
  fills: readonly Fill[],
  { isReportedGone, now }: { isReportedGone: boolean; now: Instant },
): Standing {
  const filled = filledSize(fills);
  const reported = lookup.kind === 'found' ? lookup.order.matchedSize : SHARES_ZERO;
  const isShown = lookup.kind === 'found' && lookup.order.status !== 'matched';
  const reportedBefore = isShown ? SHARES_ZERO : (attempt.matchedSize ?? SHARES_ZERO);
  const matchedSize = Math.max(reported, reportedBefore, filled) as Shares;
  if (filled >= attempt.size) return { event: 'matched', matchedSize };
  if (lookup.kind === 'unknown') return { unanswered: true };
  const traded = collapseFills(fills).reduce((sum, { size }) => addShares(sum, size), SHARES_ZERO);
  const matched = Math.max(reported, traded) as Shares;
  const { end, goneAt } = endingOf({
    word: wordOf(lookup),
    size: attempt.size,
    matched,
    sentAt: firstSentAt(attempt),
    wasShown: attempt.matchedSize !== null,
    isReportedGone,
    goneAt: attempt.goneAt,
    now,
  });
  if (end === 'matched') return { event: 'matched', matchedSize: Math.max(matched, matchedSize) as Shares, goneAt };
  if (end === 'canceled') return { event: 'canceled', matchedSize, goneAt };
  if (isShown) return { event: lookup.order.status === 'delayed' ? 'delayed' : 'open', matchedSize, goneAt };
  return lookup.kind === 'found' ? { event: 'open', matchedSize, goneAt } : { goneAt };
}

/**
 * Whether the answer to a cancellation, null where none was asked for, says that nothing is left of the order. It is refused
 * during a delay, so that proves nothing of an order that may still be in one.
 */
export function isGoneBy(canceled: 'canceled' | 'refused' | 'unknown' | null, status: AttemptStatus): boolean {
  return canceled === 'canceled' || (canceled === 'refused' && status !== 'delayed');
}
