import type { Instant } from '@dutchbook/units/instant.ts';
import type { AttemptStatus } from '../order/life.ts';

/**
 * What is known of one signed order when the loop looks at its batch. Those of final batch orders are left out unless
 * something was heard of them.
 */
export type AttemptView = {
  id: string;
  status: AttemptStatus;
  /** When the venue was last asked about it; null when it never was. */
  askedAt: Instant | null;
  /** How often it was asked in vain: the loop asks less and less often. */
  askedCount: number;
  /** Something was heard of it since it was last asked. */
  heardOf: boolean;
};

export type BatchView = {
  orders: readonly { id: string; final: boolean; attempted: boolean }[];
  attempts: readonly AttemptView[];
  /** Open orders are canceled at this moment. */
  deadline: Instant;
};

/** The one thing to do next. `wait` until `at` unless something is heard before. */
export type BatchStep =
  | { kind: 'sign'; orderIds: string[] }
  | { kind: 'send'; attemptIds: string[] }
  | { kind: 'resolve'; attemptIds: string[] }
  | { kind: 'read'; attemptIds: string[] }
  | { kind: 'cancel'; attemptIds: string[] }
  | { kind: 'settle' }
  | { kind: 'wait'; at: Instant };

const RESOLVE_FIRST_MS = 250;
const RESOLVE_SLOWEST_MS = 5000;
const READ_FIRST_MS = 150;
const READ_SLOWEST_MS = 2000;

/**
 * Decides from facts alone, so that a process that starts in the middle of a batch does what the one before it would
 * have done. What was committed is sent before anything else is signed; what is in doubt is asked about, never re-signed.
 */
export function nextStep(view: BatchView, now: Instant): BatchStep {
  const prepared = idsOf(view, (attempt) => attempt.status === 'prepared');
  if (prepared.length > 0) return { kind: 'send', attemptIds: prepared };

  const unsigned = view.orders.filter(({ final, attempted }) => !final && !attempted).map(({ id }) => id);
  if (unsigned.length > 0) return { kind: 'sign', orderIds: unsigned };
  return nextOfSent(view, now);
}

type SentStep = Exclude<BatchStep, { kind: 'sign' | 'send' }>;

/** What there is to do for the orders that were sent. */
function nextOfSent(view: BatchView, now: Instant): SentStep {
  const doubtful = idsOf(view, (attempt) => attempt.status === 'sent' && (attempt.heardOf || dueAt(attempt) <= now));
  if (doubtful.length > 0) return { kind: 'resolve', attemptIds: doubtful };
  const heard = idsOf(view, (attempt) => attempt.heardOf);
  if (heard.length > 0) return { kind: 'read', attemptIds: heard };

  if (view.orders.every((order) => order.final)) return { kind: 'settle' };
  if (now >= view.deadline) {
    const open = idsOf(view, (attempt) => attempt.status === 'open' && dueAt(attempt) <= now);
    if (open.length > 0) return { kind: 'cancel', attemptIds: open };
  }
  const unread = idsOf(view, (attempt) => standsAtVenue(attempt) && dueAt(attempt) <= now);
  if (unread.length > 0) return { kind: 'read', attemptIds: unread };

  return { kind: 'wait', at: earliestDue(view) };
}

/** `abandon` marks attempts as never sent, which is known of them. */
export type StopStep = SentStep | { kind: 'abandon'; attemptIds: string[] };

/**
 * The same for a batch that is canceled, or whose trading is disarmed: nothing leaves any more, what rests is taken off
 * the venue before anything else is asked. It settles when every order that was sent has ended.
 */
export function nextStopStep(view: BatchView, now: Instant): StopStep {
  const prepared = idsOf(view, (attempt) => attempt.status === 'prepared');
  if (prepared.length > 0) return { kind: 'abandon', attemptIds: prepared };
  const open = idsOf(view, (attempt) => attempt.status === 'open' && (attempt.heardOf || dueAt(attempt) <= now));
  if (open.length > 0) return { kind: 'cancel', attemptIds: open };

  const orders = view.orders.filter(({ attempted }) => attempted);
  return nextOfSent({ ...view, orders, deadline: LAST_INSTANT }, now);
}

/** The last moment that a clock can show. */
const LAST_INSTANT = 8_640_000_000_000_000 as Instant;

/** The venue has it, and not all that it did with it has been read. An ended order may still lack some of its fills. */
function standsAtVenue({ status }: AttemptView): boolean {
  return status === 'open' || status === 'delayed' || status === 'matched' || status === 'canceled';
}

/** When this attempt is to be asked about again: at once the first time, then ever more slowly. */
function dueAt(attempt: AttemptView): Instant {
  if (attempt.askedAt === null) return 0 as Instant;
  const [first, slowest] =
    attempt.status === 'sent' ? [RESOLVE_FIRST_MS, RESOLVE_SLOWEST_MS] : [READ_FIRST_MS, READ_SLOWEST_MS];
  const pauseMs = Math.min(first * 2 ** Math.min(attempt.askedCount, 10), slowest);
  return (attempt.askedAt + pauseMs) as Instant;
}

function earliestDue(view: BatchView): Instant {
  const due = view.attempts.filter((attempt) => attempt.status === 'sent' || standsAtVenue(attempt)).map(dueAt);
  return Math.min(...due, view.deadline) as Instant;
}

function idsOf(view: BatchView, wanted: (attempt: AttemptView) => boolean): string[] {
  return view.attempts.filter(wanted).map((attempt) => attempt.id);
}
