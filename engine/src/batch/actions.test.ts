import { describe, expect, it } from 'vitest';
import { cancelRefusal, canRetry, isFinal, retryRefusal, sellAllRefusal, sellOrderRefusal } from './actions.ts';
import type { BatchStatus } from './life.ts';

const failed = {
  status: 'failed' as BatchStatus,
  retryCount: 0,
  maxRetries: 3,
  opportunityExists: true,
  saleUnderWay: false,
  anythingSold: false,
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
    [{ anythingSold: true }, 'The batch is failed and cannot be retried: shares of it were sold'],
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
    for (const worn of [{ retryCount: 3 }, { opportunityExists: false }, { anythingSold: true }]) {
      expect([canRetry({ ...inputs, ...worn }), isFinal({ ...inputs, ...worn })]).toEqual([false, final || retry]);
    }
    const inSale = { ...inputs, saleUnderWay: true };
    expect([canRetry(inSale), isFinal(inSale)]).toEqual([false, final]);
  });

  it('is left after two of three', () => {
    expect(canRetry({ ...failed, retryCount: 2 })).toBe(true);
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
