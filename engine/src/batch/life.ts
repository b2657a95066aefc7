/** The life of a batch as one table, and the questions that the table answers. */
import { FRACTION_ZERO, type Fraction, ratio } from '@dutchbook/units/fraction.ts';
import { minShares, type Shares } from '@dutchbook/units/shares.ts';
import { filledSize, isFilled, isOrderFinal, isShortByLittle, type OrderState } from '../order/life.ts';

export type BatchStatus =
  | 'pending'
  | 'processing'
  | 'completed'
  | 'sold'
  | 'partial_completed'
  | 'failed'
  | 'canceled'
  | 'retry_pending';

/**
 * `started`: an attempt of a first placing or of a retry is committed. `completed`, `partial_completed`, `failed`: every
 * order is final, a retry that may not start goes back, or a settlement that failed took back a fill or a sale of a batch
 * that had ended. `canceled`: its open orders are off the venue.
 * `retry_requested`: by a person or automatically, where `canRetry`. `finish_requested`: a person has what its sets lack bought, and
 * nothing beyond, whatever became of its retries. `sold`: everything that was filled has been sold.
 */
export type BatchEvent =
  | 'started'
  | 'completed'
  | 'partial_completed'
  | 'failed'
  | 'canceled'
  | 'retry_requested'
  | 'finish_requested'
  | 'sold';

/** What each status becomes with each event; an event that is missing is refused. */
export const BATCH_LIFE: Readonly<Record<BatchStatus, Readonly<Partial<Record<BatchEvent, BatchStatus>>>>> = {
  pending: { started: 'processing', canceled: 'canceled' },
  processing: {
    completed: 'completed',
    partial_completed: 'partial_completed',
    failed: 'failed',
    canceled: 'canceled',
  },
  completed: {
    partial_completed: 'partial_completed',
    failed: 'failed',
    finish_requested: 'retry_pending',
    sold: 'sold',
  },
  sold: { completed: 'completed', partial_completed: 'partial_completed', failed: 'failed' },
  partial_completed: {
    completed: 'completed',
    failed: 'failed',
    retry_requested: 'retry_pending',
    finish_requested: 'retry_pending',
    sold: 'sold',
  },
  failed: { completed: 'completed', partial_completed: 'partial_completed', retry_requested: 'retry_pending' },
  canceled: { finish_requested: 'retry_pending' },
  retry_pending: {
    started: 'processing',
    completed: 'completed',
    partial_completed: 'partial_completed',
    failed: 'failed',
    canceled: 'canceled',
  },
};

/** `reason` is a sentence that names the state. */
export type BatchTransition = { kind: 'moved'; status: BatchStatus } | { kind: 'refused'; reason: string };

/** The status of a batch after an event, or why the event cannot happen to it. */
export function batchAfter(status: BatchStatus, event: BatchEvent): BatchTransition {
  const next = BATCH_LIFE[status][event];
  if (next !== undefined) return { kind: 'moved', status: next };
  return { kind: 'refused', reason: `The batch is ${status} and cannot ${WORDS[event]}` };
}

const WORDS: Readonly<Record<BatchEvent, string>> = {
  started: 'be started',
  completed: 'be completed',
  partial_completed: 'be partially completed',
  failed: 'fail',
  canceled: 'be canceled',
  retry_requested: 'be retried',
  finish_requested: 'be finished',
  sold: 'be sold',
};

export type RetryInput = { status: BatchStatus; retryCount: number; maxRetries: number; opportunityExists: boolean };

/** Whether the batch is being worked on; an opportunity has at most one such batch. */
export function isActive(status: BatchStatus): boolean {
  return status === 'pending' || status === 'processing' || status === 'retry_pending';
}

export type EndedBatchStatus = 'completed' | 'partial_completed' | 'failed';

/**
 * The result of a batch once every order is final; null while one is not. `minSuccessRate` is
 * BATCH_MIN_SUCCESS_RATE: the fraction of all shares that must be filled for the batch to count as completed.
 */
export function endedBatchStatus(orders: readonly OrderState[], minSuccessRate: Fraction): EndedBatchStatus | null {
  if (!orders.every(isOrderFinal)) return null;
  if (orders.every(({ fills }) => filledSize(fills) === 0)) return 'failed';
  return filledFraction(orders) >= minSuccessRate ? 'completed' : 'partial_completed';
}

/**
 * The result of a cancellation once every order that was sent is final: an order book can be faster, and a batch that
 * was bought in full is no less complete for it.
 */
export function stoppedAs(orders: readonly OrderState[]): 'completed' | 'canceled' {
  return orders.length > 0 && orders.every(isFilled) ? 'completed' : 'canceled';
}

/**
 * The event that brings an ended batch in line with its present fills and sales, null when it is. A trade can fail
 * to settle, and one can be reported late. A canceled batch stays canceled.
 */
export function resettled(
  status: BatchStatus,
  orders: readonly OrderState[],
  soldOut: boolean,
  minSuccessRate: Fraction,
): EndedBatchStatus | 'sold' | null {
  if (isActive(status) || status === 'canceled') return null;
  const ended = endedBatchStatus(orders, minSuccessRate);
  const now = soldOut && status !== 'failed' ? 'sold' : ended;
  return now === status ? null : now;
}

/**
 * The shares filled of all that were wanted, rounded down; what one order got too many does not stand in for another, and
 * what it lacks of less than a hundredth of a share is not missing.
 */
export function filledFraction(orders: readonly Pick<OrderState, 'size' | 'fills'>[]): Fraction {
  const wanted = orders.reduce((sum, { size }) => sum + size, 0) as Shares;
  const filled = orders.reduce((sum, { size, fills }) => sum + countedOf(size, filledSize(fills)), 0) as Shares;
  return wanted === 0 ? FRACTION_ZERO : ratio(filled, wanted, 'down');
}

function countedOf(size: Shares, filled: Shares): Shares {
  return isShortByLittle(size, filled) ? size : minShares(size, filled);
}
