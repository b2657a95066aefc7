/**
 * The life of an attempt (one signed order) and what it makes of its batch order. Updates arrive late, twice and out of
 * order, from answers, from the stream and from asking; the state they lead to must not depend on that. So every status
 * has a place in one line, and an attempt only ever moves along it, but for one step (`rateLimited`).
 */
import { addShares, LEAST_SIZE, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { collapseFills, type Fill, standingFills } from './fill.ts';

/**
 * `prepared`: committed, not sent. `sent`: bytes may have left, the answer is awaited. `unknown`: it has not come, or was
 * not clear. `rejected`: by the venue. `failed`: it never reached the venue. `delayed`: held by the venue. `open`: rests.
 * `canceled`: its rest is gone. `matched`: done.
 */
export type AttemptStatus = (typeof ATTEMPT_LIFE)[number];

/** A status that the venue, or the lack of an answer, gives an attempt. */
export type AttemptEvent = Exclude<AttemptStatus, 'prepared'>;

/**
 * The line along which an attempt moves, at any step past any number of others. Evidence that the venue has an order
 * outweighs any belief that it has not, so a rejected or failed attempt that turns up there is alive after all. Ended orders
 * do not open again.
 */
const ATTEMPT_LIFE = [
  'prepared',
  'sent',
  'unknown',
  'rejected',
  'failed',
  'delayed',
  'open',
  'canceled',
  'matched',
] as const;

/** The status of an attempt once `event` is known. */
export function attemptAfter(status: AttemptStatus, event: AttemptEvent): AttemptStatus {
  return ATTEMPT_LIFE.indexOf(event) > ATTEMPT_LIFE.indexOf(status) ? event : status;
}

/**
 * The one step back: the venue took no more calls and did not look at the orders in this one, so they are as if they had
 * not been sent. Only for the answer to an order's first post; the rejection of a copy proves nothing about the first.
 */
export function rateLimited(status: AttemptStatus): AttemptStatus {
  return awaitsOutcome(status) ? 'prepared' : status;
}

/** Whether the venue may have the order and has not said so. */
export function awaitsOutcome(status: AttemptStatus): boolean {
  return status === 'sent' || status === 'unknown';
}

/** Whether the venue took the order, whatever became of it. */
export function wasAccepted(status: AttemptStatus): boolean {
  return status === 'delayed' || status === 'open' || status === 'canceled' || status === 'matched';
}

/** Whether the attempt has ended by itself; trades of it may still be reported. */
export function hasAttemptEnded(status: AttemptStatus): boolean {
  return status === 'rejected' || status === 'failed' || status === 'canceled' || status === 'matched';
}

/** `matchedSize` is what the venue says it matched of the attempt in all; null while it has not said. */
export type AttemptState = { id: string; status: AttemptStatus; matchedSize: Shares | null };

/** `size` is what the order is meant to hold, over all its attempts, which are in the order they were made. */
export type OrderState = { size: Shares; attempts: readonly AttemptState[]; fills: readonly Fill[] };

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
 * The status shown for an order. Fills count first, whatever became of the attempts; then the liveliest attempt;
 * and when all have ended, the last one.
 */
export function batchOrderStatus(order: OrderState): BatchOrderStatus {
  const filled = filledSize(order.fills);
  if (filled > 0) return isFilled(order) ? 'filled' : 'partially_filled';
  const statuses = order.attempts.map((attempt) => (isAccounted(attempt, order.fills) ? attempt.status : 'sent'));
  if (statuses.some((status) => awaitsOutcome(status) || status === 'delayed')) return 'processing';
  if (statuses.includes('open')) return 'open';
  const last = order.attempts.at(-1);
  return last === undefined ? 'pending' : endedStatus(last, order.fills);
}

/**
 * Whether nothing more can happen to the order as things are: it is filled, or all its attempts have ended and every
 * share they matched has been reported as a fill.
 */
export function isOrderFinal(order: OrderState): boolean {
  if (filledSize(order.fills) >= order.size) return true;
  return order.attempts.length > 0 && order.attempts.every((attempt) => hasEnded(attempt, order.fills));
}

/** Less is missing than an order can be for: nothing could buy or sell it. */
export function isShortByLittle(size: Shares, filled: Shares): boolean {
  return filled > 0 && size - filled < LEAST_SIZE;
}

/** Whether all of its size is filled, or all but what no order could fill and nothing of it rests any more. */
export function isFilled(order: OrderState): boolean {
  return isShortByLittle(order.size, filledSize(order.fills)) && isOrderFinal(order);
}

/** The shares that stand as bought (or sold), each trade counted once. */
export function filledSize(fills: readonly Fill[]): Shares {
  return standingFills(fills).reduce((sum, { size }) => addShares(sum, size), SHARES_ZERO);
}

function hasEnded(attempt: AttemptState, fills: readonly Fill[]): boolean {
  const { status } = attempt;
  if (status === 'rejected' || status === 'failed') return true;
  return (status === 'canceled' || status === 'matched') && isAccounted(attempt, fills);
}

/**
 * Whether the fills of an ended attempt are all in. An order is often reported as done before its trades are; to call it
 * ended then would buy the same shares again in a retry.
 */
function isAccounted({ id, status, matchedSize }: AttemptState, fills: readonly Fill[]): boolean {
  if (status !== 'canceled' && status !== 'matched') return true;
  const reported = collapseFills(fills).filter(({ attemptId }) => attemptId === id);
  return matchedSize !== null && reported.reduce((sum, { size }) => sum + size, 0) >= matchedSize;
}

/** An attempt of which nothing stands: trades that were undone on the way to settlement are a failure. */
function endedStatus({ id, status }: AttemptState, fills: readonly Fill[]): BatchOrderStatus {
  if (status === 'prepared') return 'pending';
  if (status === 'rejected') return 'rejected';
  const wasUndone = fills.some(({ attemptId }) => attemptId === id);
  return status === 'failed' || wasUndone ? 'failed' : 'canceled';
}
