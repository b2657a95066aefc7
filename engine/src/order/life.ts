/**
 * The life of an attempt (one signed order) and what it makes of its batch order. News comes late, twice and out of
 * order, from answers, from the stream and from asking; the state they lead to must not depend on that. So every status
 * has a place in one line, and an attempt only ever moves along it, but for one step (`turnedAway`).
 */
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { collapseFills, type Fill, standingFills } from './fill.ts';

/**
 * `prepared`: committed, not sent. `sent`: bytes may have left, outcome unknown. `refused`: by the venue. `failed`: it
 * never reached the venue. `delayed`: held by the venue. `open`: rests. `canceled`: its rest is gone. `matched`: done.
 */
export type AttemptStatus = 'prepared' | 'sent' | 'refused' | 'failed' | 'delayed' | 'open' | 'canceled' | 'matched';

/** What became known of an attempt. */
export type AttemptEvent = Exclude<AttemptStatus, 'prepared'>;

/**
 * What each status becomes with each event. Evidence that the venue has an order outweighs any belief that it has not,
 * so a refused or failed attempt that turns up there is alive after all. Ended orders do not open again.
 */
export const ATTEMPT_LIFE: Readonly<Record<AttemptStatus, Readonly<Record<AttemptEvent, AttemptStatus>>>> = {
  prepared: {
    sent: 'sent',
    refused: 'refused',
    failed: 'failed',
    delayed: 'delayed',
    open: 'open',
    canceled: 'canceled',
    matched: 'matched',
  },
  sent: {
    sent: 'sent',
    refused: 'refused',
    failed: 'failed',
    delayed: 'delayed',
    open: 'open',
    canceled: 'canceled',
    matched: 'matched',
  },
  refused: {
    sent: 'refused',
    refused: 'refused',
    failed: 'failed',
    delayed: 'delayed',
    open: 'open',
    canceled: 'canceled',
    matched: 'matched',
  },
  failed: {
    sent: 'failed',
    refused: 'failed',
    failed: 'failed',
    delayed: 'delayed',
    open: 'open',
    canceled: 'canceled',
    matched: 'matched',
  },
  delayed: {
    sent: 'delayed',
    refused: 'delayed',
    failed: 'delayed',
    delayed: 'delayed',
    open: 'open',
    canceled: 'canceled',
    matched: 'matched',
  },
  open: {
    sent: 'open',
    refused: 'open',
    failed: 'open',
    delayed: 'open',
    open: 'open',
    canceled: 'canceled',
    matched: 'matched',
  },
  canceled: {
    sent: 'canceled',
    refused: 'canceled',
    failed: 'canceled',
    delayed: 'canceled',
    open: 'canceled',
    canceled: 'canceled',
    matched: 'matched',
  },
  matched: {
    sent: 'matched',
    refused: 'matched',
    failed: 'matched',
    delayed: 'matched',
    open: 'matched',
    canceled: 'matched',
    matched: 'matched',
  },
};

/** The status of an attempt once `event` is known. */
export function attemptAfter(status: AttemptStatus, event: AttemptEvent): AttemptStatus {
  return ATTEMPT_LIFE[status][event];
}

/**
 * The one step back: the venue turned the call away without looking at the orders in it, so they are as if they had not
 * been sent. Only for the answer to an order's first post; the refusal of a copy proves nothing about the first.
 */
export function turnedAway(status: AttemptStatus): AttemptStatus {
  return status === 'sent' ? 'prepared' : status;
}

/** Whether the venue took the order, whatever became of it. */
export function wasAccepted(status: AttemptStatus): boolean {
  return status === 'delayed' || status === 'open' || status === 'canceled' || status === 'matched';
}

/** Whether the attempt has come to an end by itself; trades of it may still be told of. */
export function hasAttemptEnded(status: AttemptStatus): boolean {
  return status === 'refused' || status === 'failed' || status === 'canceled' || status === 'matched';
}

/** `matchedSize` is what the venue says it matched of the attempt in all; null while it has not said. */
export type AttemptFacts = { id: string; status: AttemptStatus; matchedSize: Shares | null };

/** `size` is what the order is meant to hold, over all its attempts, which are in the order they were made. */
export type OrderFacts = { size: Shares; attempts: readonly AttemptFacts[]; fills: readonly Fill[] };

export type BatchOrderStatus =
  | 'pending'
  | 'processing'
  | 'open'
  | 'partially_filled'
  | 'filled'
  | 'canceled'
  | 'rejected'
  | 'failed';

/**
 * What the order shows. What was filled counts first, whatever became of the attempts; then the liveliest attempt;
 * and when all have ended, the last one.
 */
export function batchOrderStatus(order: OrderFacts): BatchOrderStatus {
  const filled = filledSize(order.fills);
  if (filled > 0) return filled >= order.size ? 'filled' : 'partially_filled';
  const statuses = order.attempts.map((attempt) => (isAccounted(attempt, order.fills) ? attempt.status : 'sent'));
  if (statuses.some((status) => status === 'sent' || status === 'delayed')) return 'processing';
  if (statuses.includes('open')) return 'open';
  const last = order.attempts.at(-1);
  return last === undefined ? 'pending' : endedStatus(last, order.fills);
}

/**
 * Whether nothing more can happen to the order as things are: it is filled, or all its attempts have ended and every
 * share they matched has been reported as a fill.
 */
export function isOrderFinal(order: OrderFacts): boolean {
  if (filledSize(order.fills) >= order.size) return true;
  return order.attempts.length > 0 && order.attempts.every((attempt) => hasEnded(attempt, order.fills));
}

/** The shares that stand as bought (or sold), each trade counted once. */
export function filledSize(fills: readonly Fill[]): Shares {
  return standingFills(fills).reduce((sum, { size }) => addShares(sum, size), SHARES_ZERO);
}

function hasEnded(attempt: AttemptFacts, fills: readonly Fill[]): boolean {
  const { status } = attempt;
  if (status === 'refused' || status === 'failed') return true;
  return (status === 'canceled' || status === 'matched') && isAccounted(attempt, fills);
}

/**
 * Whether the fills of an ended attempt are all in. An order is often reported as done before its trades are; to call it
 * ended then would buy the same shares again in a retry.
 */
function isAccounted({ id, status, matchedSize }: AttemptFacts, fills: readonly Fill[]): boolean {
  if (status !== 'canceled' && status !== 'matched') return true;
  const reported = collapseFills(fills).filter(({ attemptId }) => attemptId === id);
  return matchedSize !== null && reported.reduce((sum, { size }) => sum + size, 0) >= matchedSize;
}

/** An attempt of which nothing stands: trades that were undone on the way to settlement are a failure. */
function endedStatus({ id, status }: AttemptFacts, fills: readonly Fill[]): BatchOrderStatus {
  if (status === 'prepared') return 'pending';
  if (status === 'refused') return 'rejected';
  const wasUndone = fills.some(({ attemptId }) => attemptId === id);
  return status === 'failed' || wasUndone ? 'failed' : 'canceled';
}
