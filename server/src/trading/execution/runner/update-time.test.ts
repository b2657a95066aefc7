import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../../test-runtime.ts';
import { loadBatch } from '../../orders/batch-state.ts';
import { cancelActiveBatches, requestCancel } from '../../orders/intents.ts';
import { takeLease } from './batch-lease.ts';
import { commitAttempts, finishBatch, refuseUnsent } from './batch-writes.ts';
import { NO_BOOK_PRICES } from './book-prices.ts';
import { recordedBatch } from './runner.fixture.ts';

describe('the time of the last change to a batch and its orders', () => {
  it('does not go back where the machine that writes is behind the one that wrote before', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const ahead = { ...runtime, clock: { now: () => instantFromMs(runtime.clock.now() + 60_000) } };
    const batchId = await recordedBatch({ ...test, runtime: ahead });
    const writtenAt = ahead.clock.now();
    const times = async () => {
      const state = await loadBatch(runtime.db, batchId);
      return [state?.batch.updatedAt, ...(state?.orders.map(({ updatedAt }) => updatedAt) ?? [])];
    };
    const expectNotBefore = async () => expect(await times()).toEqual([writtenAt, writtenAt, writtenAt]);

    await runtime.db.transaction((tx) => requestCancel(tx, runtime, batchId));
    await expectNotBefore();
    await cancelActiveBatches(runtime.db, runtime, 'polymarket');
    const lease = await takeLease(runtime, runtime.random.uuid(), batchId);
    const [one, other] = (await loadBatch(runtime.db, batchId))?.orders ?? [];
    if (lease === null || one === undefined || other === undefined) throw new Error('the batch is not there');
    const { id, size, price } = one;
    const signed = { orderHash: 'hash', salt: '0', payload: '' };
    const after = await commitAttempts(runtime, lease, [
      { orderId: id, signed, size, price, feeRate: null, ...NO_BOOK_PRICES },
    ]);
    expect(after.orders.map(({ updatedAt }) => updatedAt)).toEqual([writtenAt, writtenAt]);
    await refuseUnsent(runtime, lease, [id, other.id], 'refused');
    await expectNotBefore();
    await test.time.advance(61_000);
    const { batch } = await finishBatch(runtime, lease, after, { event: 'canceled', reason: null });
    expect(batch.updatedAt).toBe(runtime.clock.now());
  });
});
