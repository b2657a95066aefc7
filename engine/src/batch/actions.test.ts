import { describe, expect, it } from 'vitest';
import {
  cancelRefusal,
  canRetry,
  finishRequestRefusal,
  isFinal,
  retryRefusal,
  sellAllRefusal,
  sellOrderRefusal,
  waitingCancelRefusal,
} from './actions.ts';
import type { BatchStatus } from './life.ts';

const failed = {
  status: 'failed' as BatchStatus,
  retryCount: 0,
  maxRetries: 3,
  opportunityExists: true,
  saleUnderWay: false,
  spent: null,
};

describe('a retry', () => {
  it.each([
    [{}, null],
    [{ status: 'partial_completed' as const, retryCount: 2 }, null],
    [{ status: 'completed' as const }, 'The batch is completed and cannot be retried'],
    [{ status: 'processing' as const }, 'The batch is processing and cannot be retried'],
    [{ retryCount: 3 }, 'The batch is failed and has used all 3 of its retries'],
    [{ maxRetries: 0 }, 'The batch is failed and cannot be retried: nothing of it is bought, its dollars are split'],
    [{ opportunityExists: false }, 'The batch is failed and cannot be retried: its opportunity was deleted'],
    [{ saleUnderWay: true }, 'The batch is failed and cannot be retried: shares of it are being sold'],
    [{ spent: 'sold' as const }, 'The batch is failed and cannot be retried: shares of it were sold'],
    [{ spent: 'gone' as const }, 'The batch is failed and cannot be retried: shares of it have left the account'],
    [{ spent: 'resolved' as const }, 'The batch is failed and cannot be retried: a market of it has resolved'],
  ])('with %j: %s', (changes, refusal) => {
    expect(retryRefusal({ ...failed, ...changes })).toBe(refusal);
  });

  it.each<{ status: BatchStatus; retry: boolean; final: boolean }>([
    { status: 'pending', retry: false, final: false },
    { status: 'processing', retry: false, final: false },
    { status: 'completed', retry: false, final: true },
    { status: 'sold', retry: false, final: true },
    { status: 'partial_completed', retry: true, final: false },
    { status: 'failed', retry: true, final: false },
    { status: 'canceled', retry: false, final: true },
    { status: 'retry_pending', retry: false, final: false },
  ])('of a batch that is $status: possible $retry, final $final', ({ status, retry, final }) => {
    const inputs = { ...failed, status };
    expect([canRetry(inputs), isFinal(inputs)]).toEqual([retry, final]);
    for (const worn of [{ retryCount: 3 }, { opportunityExists: false }, { spent: 'sold' as const }]) {
      expect([canRetry({ ...inputs, ...worn }), isFinal({ ...inputs, ...worn })]).toEqual([false, final || retry]);
    }
    const inSale = { ...inputs, saleUnderWay: true };
    expect([canRetry(inSale), isFinal(inSale)]).toEqual([false, final]);
  });

  it('is left after two of three', () => {
    expect(canRetry({ ...failed, retryCount: 2 })).toBe(true);
  });
});

describe('finishing the set', () => {
  it.each([
    [{ status: 'partial_completed' as const }, null],
    [{ status: 'canceled' as const }, null],
    [{ status: 'completed' as const }, null],
    [{ status: 'sold' as const }, 'The batch is sold and cannot be finished'],
    [{ status: 'retry_pending' as const }, 'The batch is retry_pending and cannot be finished'],
    [{ spent: 'sold' as const }, 'The batch is partial_completed and cannot be finished: shares of it were sold'],
    [
      { opportunityExists: false },
      'The batch is partial_completed and cannot be finished: its opportunity was deleted',
    ],
    [
      { maxRetries: 0 },
      'The batch is partial_completed and cannot be finished: nothing of it is bought, its dollars are split',
    ],
  ])('with %j: %s', (changes, refusal) => {
    expect(finishRequestRefusal({ ...failed, status: 'partial_completed', ...changes })).toBe(refusal);
  });
});

describe('the cancellation of a sale', () => {
  it.each([
    [{}, null],
    [{ side: 'buy' as const }, 'An order that buys is canceled with its batch'],
    [{ waits: false }, 'The order does not wait in the book: it ends by itself within seconds'],
    [{ hasEnded: true, status: 'filled' as const }, 'The order is filled and cannot be canceled: it has ended'],
  ])('with %j: %s', (changes, refusal) => {
    const sale = { side: 'sell' as const, waits: true, hasEnded: false, status: 'open' as const };
    expect(waitingCancelRefusal({ ...sale, ...changes })).toBe(refusal);
  });
});

describe('a cancellation', () => {
  it.each<[BatchStatus, string | null]>([
    ['pending', null],
    ['processing', null],
    ['retry_pending', null],
    ['completed', 'The batch is completed and cannot be canceled'],
    ['canceled', 'The batch is canceled and cannot be canceled'],
  ])('of a %s batch: %s', (status, refusal) => {
    expect(cancelRefusal(status)).toBe(refusal);
  });
});

describe('a sale', () => {
  const holding = { status: 'completed' as BatchStatus, holdsShares: true, saleUnderWay: false };

  it.each([
    [{}, null],
    [{ status: 'canceled' as const }, null],
    [{ status: 'processing' as const }, 'The batch is processing and cannot be sold: it must end or be canceled first'],
    [{ saleUnderWay: true }, 'The batch is completed and cannot be sold: shares of it are being sold'],
    [{ status: 'sold' as const, holdsShares: false }, 'The batch is sold and cannot be sold: it holds no shares'],
  ])('of a batch with %j: %s', (changes, refusal) => {
    expect(sellAllRefusal({ ...holding, ...changes })).toBe(refusal);
  });

  it.each([
    [{}, null],
    [
      { status: 'processing' as const },
      'The order is filled and cannot be sold: its batch is processing and must end or be canceled first',
    ],
    [{ saleUnderWay: true }, 'The order is filled and cannot be sold: its shares are being sold'],
    [{ holdsShares: false }, 'The order is filled and cannot be sold: it holds no shares'],
  ])('of an order with %j: %s', (changes, refusal) => {
    expect(sellOrderRefusal({ ...holding, orderStatus: 'filled', ...changes })).toBe(refusal);
  });
});
