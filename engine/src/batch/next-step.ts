import type { Instant } from '@dutchbook/units/instant.ts';
import { type AttemptStatus, awaitsOutcome } from '../order/life.ts';
import { nextPollAt, type Polls } from '../order/polling.ts';

/**
 * What is known of one signed order when its batch is advanced. Those of final batch orders are left out unless
 * the venue's stream has reported them.
 */
export type AttemptView = Polls & {
  id: string;
  status: AttemptStatus;
  /** The rest of its order is smaller than the smallest order: it is canceled. */
  isLeftover: boolean;
  /** End of a waiting sale; null where the view's deadline applies. */
  waitsUntil: Instant | null;
};

export type BatchView = {
  orders: readonly { id: string; final: boolean; attempted: boolean }[];
  attempts: readonly AttemptView[];
  /** Open orders are canceled at this instant, waiting sales excepted. */
  deadline: Instant;
};

/** The one thing to do next. `wait`: until `at`, or until the venue's stream reports something. */
export type BatchStep =
  | { kind: 'sign'; orderIds: string[] }
  | { kind: 'send'; attemptIds: string[] }
  | { kind: 'resolve'; attemptIds: string[] }
  | { kind: 'read'; attemptIds: string[] }
  | { kind: 'cancel'; attemptIds: string[] }
  | { kind: 'end' }
  | { kind: 'wait'; at: Instant };

/**
 * Decides from what is recorded; polls say only when something is asked again, so that a process that starts in the middle
 * of a batch does what the one before it would have done, and asks at once. What was committed is sent before anything
 * else is signed; what has an unknown outcome is asked about, never re-signed.
 */
export function nextStep(view: BatchView, now: Instant): BatchStep {
  const prepared = idsOf(view, (attempt) => attempt.status === 'prepared');
  if (prepared.length > 0) return { kind: 'send', attemptIds: prepared };

  const unsigned = view.orders.filter(({ final, attempted }) => !final && !attempted).map(({ id }) => id);
  if (unsigned.length > 0) return { kind: 'sign', orderIds: unsigned };
  return nextOfSent(view, now);
}

type SentStep = Exclude<BatchStep, { kind: 'sign' | 'send' }>;

/** The next step for orders that were sent. */
function nextOfSent(view: BatchView, now: Instant): SentStep {
  const unanswered = idsOf(
    view,
    (attempt) => awaitsOutcome(attempt.status) && (attempt.notified || dueAt(attempt, now) <= now),
  );
  if (unanswered.length > 0) return { kind: 'resolve', attemptIds: unanswered };
  const notified = idsOf(view, (attempt) => attempt.notified);
  if (notified.length > 0) return { kind: 'read', attemptIds: notified };

  if (view.orders.every((order) => order.final)) return { kind: 'end' };
  const isCanceled = ({ isLeftover, waitsUntil }: AttemptView) => isLeftover || now >= (waitsUntil ?? view.deadline);
  const toCancel = idsOf(
    view,
    (attempt) => attempt.status === 'open' && isCanceled(attempt) && dueAt(attempt, now) <= now,
  );
  if (toCancel.length > 0) return { kind: 'cancel', attemptIds: toCancel };
  const unread = idsOf(view, (attempt) => standsAtVenue(attempt) && dueAt(attempt, now) <= now);
  if (unread.length > 0) return { kind: 'read', attemptIds: unread };

  return { kind: 'wait', at: earliestDue(view, now) };
}

/** When an attempt is due. A long-waiting one is followed by the venue's stream, and polled seldom until its end. */
function dueAt(attempt: AttemptView, now: Instant): Instant {
  return nextPollAt({ ...attempt, waits: waits(attempt, now) });
}

function waits({ waitsUntil, isLeftover }: AttemptView, now: Instant): boolean {
  return waitsUntil !== null && now < waitsUntil && !isLeftover;
}

/** Whether a batch must stop although its end is not requested yet: trading was disarmed elsewhere, or a moment ago. */
export function isToBeStopped({ cancelRequested, armed }: { cancelRequested: boolean; armed: boolean }): boolean {
  return !cancelRequested && !armed;
}

/** `abandon` marks attempts as failed that are known never to have been sent. */
export type StopStep = SentStep | { kind: 'abandon'; attemptIds: string[] };

/**
 * The next step of a batch that is canceled, or whose trading is disarmed: nothing is sent any more, what rests is taken off
 * the venue before anything else is asked. It ends when every order that was sent has ended.
 */
export function nextStopStep(view: BatchView, now: Instant): StopStep {
  const prepared = idsOf(view, (attempt) => attempt.status === 'prepared');
  if (prepared.length > 0) return { kind: 'abandon', attemptIds: prepared };
  const open = idsOf(view, (attempt) => attempt.status === 'open' && (attempt.notified || dueAt(attempt, now) <= now));
  if (open.length > 0) return { kind: 'cancel', attemptIds: open };

  const orders = view.orders.filter(({ attempted }) => attempted);
  return nextOfSent({ ...view, orders, deadline: LAST_INSTANT }, now);
}

/** The last moment that a clock can show. */
export const LAST_INSTANT = 8_640_000_000_000_000 as Instant;

/** Whether the venue has the order and not all of its fills have been read; an ended order may still lack some. */
function standsAtVenue({ status }: AttemptView): boolean {
  return status === 'open' || status === 'delayed' || status === 'matched' || status === 'canceled';
}

function earliestDue(view: BatchView, now: Instant): Instant {
  const due = view.attempts
    .filter((attempt) => awaitsOutcome(attempt.status) || standsAtVenue(attempt))
    .map((attempt) => Math.min(dueAt(attempt, now), waits(attempt, now) ? (attempt.waitsUntil ?? now) : LAST_INSTANT));
  return Math.min(...due, view.deadline) as Instant;
}

function idsOf(view: BatchView, wanted: (attempt: AttemptView) => boolean): string[] {
  return view.attempts.filter(wanted).map((attempt) => attempt.id);
}
