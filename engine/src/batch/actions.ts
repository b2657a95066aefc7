/** Who may be retried, canceled and sold: null allows it, a sentence that names the state refuses it. */
import type { Side } from '../book/level.ts';
import type { BatchOrderStatus } from '../order/life.ts';
import { type BatchStatus, batchAfter, isActive, type RetryInput } from './life.ts';

/**
 * `saleUnderWay`: a sell order of the batch has not ended. `spent`: what has become of shares of it, so that more of them would complete
 * fewer sets than its fills say, or sets that pay less; null while all are held and open.
 */
export type SaleState = { saleUnderWay: boolean; spent: Spent | null };

export type Spent = 'sold' | 'gone' | 'resolved';

const SPENT: Readonly<Record<Spent, string>> = {
  sold: 'shares of it were sold',
  gone: 'shares of it have left the account',
  resolved: 'a market of it has resolved',
};

/** A batch of which shares were sold, are gone or have resolved is not bought again. One that dollars are split into has no retries. */
export function retryRefusal(inputs: RetryInput & SaleState): string | null {
  const { status, retryCount, maxRetries, opportunityExists, saleUnderWay, spent } = inputs;
  const next = batchAfter(status, 'retry_requested');
  if (next.kind === 'refused') return next.reason;
  const because = (why: string) => `The batch is ${status} and cannot be retried: ${why}`;
  if (maxRetries === 0) return because('nothing of it is bought, its dollars are split');
  if (retryCount >= maxRetries) return `The batch is ${status} and has used all ${maxRetries} of its retries`;
  if (!opportunityExists) return because('its opportunity was deleted');
  if (saleUnderWay) return because('shares of it are being sold');
  return spent === null ? null : because(SPENT[spent]);
}

/** Finishing the sets of a batch needs no retry that is left, and takes back that its end was asked for. */
export function finishRequestRefusal(inputs: Omit<RetryInput, 'retryCount'> & SaleState): string | null {
  const { status, maxRetries, opportunityExists, saleUnderWay, spent } = inputs;
  const next = batchAfter(status, 'finish_requested');
  if (next.kind === 'refused') return next.reason;
  const because = (why: string) => `The batch is ${status} and cannot be finished: ${why}`;
  if (maxRetries === 0) return because('nothing of it is bought, its dollars are split');
  if (!opportunityExists) return because('its opportunity was deleted');
  if (saleUnderWay) return because('shares of it are being sold');
  return spent === null ? null : because(SPENT[spent]);
}

/** Whether another attempt at what is missing may be asked for now. */
export function canRetry(inputs: RetryInput & SaleState): boolean {
  return retryRefusal(inputs) === null;
}

/** Whether nothing more will be bought for the batch. A sale that is under way may still fail. */
export function isFinal(inputs: RetryInput & SaleState): boolean {
  return !isActive(inputs.status) && !canRetry({ ...inputs, saleUnderWay: false });
}

export function cancelRefusal(status: BatchStatus): string | null {
  const next = batchAfter(status, 'canceled');
  return next.kind === 'refused' ? next.reason : null;
}

/** Why a sale cannot be canceled by itself: `waits` in the book, or not. */
export function waitingCancelRefusal({ side, waits, hasEnded, status }: WaitingInput): string | null {
  if (side === 'buy') return 'An order that buys is canceled with its batch';
  if (hasEnded) return `The order is ${status} and cannot be canceled: it has ended`;
  return waits ? null : 'The order does not wait in the book: it ends by itself within seconds';
}

type WaitingInput = { side: Side; waits: boolean; hasEnded: boolean; status: BatchOrderStatus };

/** `holdsShares`: the batch, or the one order that is to be sold, holds shares by its fills. */
export type SaleInput = { status: BatchStatus; holdsShares: boolean; saleUnderWay: boolean };

/**
 * Whatever a batch still holds may be sold, also after it was canceled; but not while it is buying, because what is
 * bought meanwhile would stay behind.
 */
export function sellAllRefusal({ status, holdsShares, saleUnderWay }: SaleInput): string | null {
  const because = (why: string) => `The batch is ${status} and cannot be sold: ${why}`;
  if (isActive(status)) return because('it must end or be canceled first');
  if (saleUnderWay) return because('shares of it are being sold');
  return holdsShares ? null : because('it holds no shares');
}

/** `saleUnderWay` is that of this order alone. */
export function sellOrderRefusal({
  orderStatus,
  ...batch
}: SaleInput & { orderStatus: BatchOrderStatus }): string | null {
  const because = (why: string) => `The order is ${orderStatus} and cannot be sold: ${why}`;
  if (isActive(batch.status)) return because(`its batch is ${batch.status} and must end or be canceled first`);
  if (batch.saleUnderWay) return because('its shares are being sold');
  return batch.holdsShares ? null : because('it holds no shares');
}
