/** Decides what to do when the venue does not have an order that may have been sent to it. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { type Attempt, firstSentAt } from './attempt.ts';
import type { AttemptUpdate } from './attempt-update.ts';
import { ARRIVAL_MAX_MS } from './ending.ts';
import type { OrderLookup } from './lookup.ts';

/** An order that the venue does not have is posted again for this long; later its price is out of date. */
const POST_AGAIN_FOR_MS = 60_000;
/** The last copy may have left as late as copies are posted. */
const ABSENT_FOR_MS = POST_AGAIN_FOR_MS + ARRIVAL_MAX_MS;

/** Whether the same bytes may be posted once more: the venue does not have the order, and it is young enough. */
export function mayPostAgain(
  attempt: Pick<Attempt, 'sentAt' | 'createdAt'>,
  lookup: OrderLookup | undefined,
  now: Instant,
): boolean {
  return lookup?.kind === 'absent' && now - firstSentAt(attempt) < POST_AGAIN_FOR_MS;
}

/** The update after a lookup: the order is at the venue, can no longer get there, or is looked up again. */
export function updateOfLookup(
  attempt: Pick<Attempt, 'id' | 'sentAt' | 'createdAt'>,
  lookup: OrderLookup | undefined,
  at: Instant,
): AttemptUpdate {
  const attemptId = attempt.id;
  if (lookup?.kind === 'found') {
    const event = lookup.order.status === 'delayed' ? 'delayed' : 'open';
    const { venueName } = lookup.order;
    const named = venueName === undefined ? {} : { venueName };
    return { attemptId, event, lookedUp: { at, answer: 'It has the order' }, ...named };
  }
  if (lookup?.kind === 'absent') {
    const lookedUp = { at, answer: 'It does not have the order' };
    if (at - firstSentAt(attempt) < ABSENT_FOR_MS) return { attemptId, event: 'unknown', lookedUp };
    return { attemptId, event: 'failed', reason: 'It never reached the venue.', lookedUp };
  }
  const silence = lookup === undefined ? 'no answer' : lookup.reason;
  const lookedUp = { at, answer: `It did not say: ${silence}` };
  return { attemptId, event: 'unknown', lookedUp, unanswered: true };
}
