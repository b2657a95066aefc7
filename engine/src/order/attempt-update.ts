/** An update of an attempt by what the venue has said, and the state that results. */
import type { OrderName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Attempt } from './attempt.ts';
import type { Fill } from './fill.ts';
import { type AttemptEvent, attemptAfter, hasAttemptEnded, rateLimited } from './life.ts';

/** `matchedSize` is the venue's own count, `fills` every trade it reported. */
export type AttemptUpdate = {
  attemptId: string;
  event?: AttemptEvent;
  /** When its first byte could leave, which was recorded as sent a commit before. */
  postedAt?: Instant;
  /** The venue's name for the order, where it differs from ours. */
  venueName?: string;
  reason?: string | null;
  unknownReason?: string | null;
  matchedSize?: Shares;
  fills?: readonly (Fill & { orderHash: OrderName; matchedAt: Instant })[];
  /** The venue was asked whether it has the order, and this is what it said. */
  lookedUp?: { at: Instant; answer: string };
  goneAt?: Instant | null;
  /** The venue took no more calls and did not look at its post: it has still to be sent. */
  rateLimited?: true;
  /** The venue did not say where the order stands: it has still to be asked. */
  unanswered?: true;
};

/** The status of an attempt after an update, and when it ended: the first update that ends it counts. */
export function lifeAfter(
  attempt: Pick<Attempt, 'status' | 'sentAt' | 'endedAt'>,
  update: Pick<AttemptUpdate, 'event' | 'postedAt' | 'rateLimited'>,
  now: Instant,
): Pick<Attempt, 'status' | 'sentAt' | 'endedAt'> {
  const { status: before } = attempt;
  const reported = update.event === undefined ? before : attemptAfter(before, update.event);
  const status = update.rateLimited ? rateLimited(before) : reported;
  const endedAt = hasAttemptEnded(before) ? attempt.endedAt : now;
  return {
    status,
    sentAt: status === 'prepared' ? null : (update.postedAt ?? attempt.sentAt),
    endedAt: hasAttemptEnded(status) ? endedAt : null,
  };
}
