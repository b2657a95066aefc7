import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { takeLease } from '../execution/runner/batch-lease.ts';
import { commitAttempts } from '../execution/runner/batch-writes.ts';
import { NO_BOOK_PRICES } from '../execution/runner/book-prices.ts';
import { recordedBatch, SIZE } from '../execution/runner/runner.fixture.ts';
import { openTestRuntime, type TestRuntime } from '../test-runtime.ts';
import { hasEnded, loadBatch, loadBatches } from './batch-state.ts';
import { batches, batchOrders } from './table.ts';

describe('an order that shows that it failed', () => {
  it('has ended where nothing of it was ever signed', async () => {
    await using test = await openTestRuntime();
    const batchId = await recordedBatch(test);
    await show('failed', test, batchId);
    expect(await endedOrders(test, batchId)).toEqual([true, true]);
  });

  it('has not ended while an attempt of it may still be sent, whatever its row shows', async () => {
    await using test = await openTestRuntime();
    const batchId = await recordedBatch(test);
    await sign(test, batchId);
    await show('failed', test, batchId);
    expect(await endedOrders(test, batchId)).toEqual([false, true]);
  });
});

describe('loading several batches', () => {
  it('answers each with its own rows, in one statement', async () => {
    await using test = await openTestRuntime();
    const ids = [await recordedBatch(test), await recordedBatch(test, {}, ['101'])];
    const states = await loadBatches(test.runtime.db, eq(batches.simulated, false));
    expect(states.map(({ batch, orders }) => [batch.id, orders.length]).sort()).toEqual(
      [
        [ids[0], 2],
        [ids[1], 1],
      ].sort(),
    );
  });
});

async function show(status: 'failed', { runtime }: TestRuntime, batchId: string): Promise<void> {
  await runtime.db.update(batchOrders).set({ status }).where(eq(batchOrders.batchId, batchId));
}

async function endedOrders({ runtime }: TestRuntime, batchId: string): Promise<boolean[]> {
  const state = await loadBatch(runtime.db, batchId);
  return state === null ? [] : state.orders.map((order) => hasEnded(state, order));
}

/** Commits an attempt for the first order of the batch, which is not sent. */
async function sign({ runtime }: TestRuntime, batchId: string): Promise<void> {
  const lease = await takeLease(runtime, runtime.random.uuid(), batchId);
  const order = (await loadBatch(runtime.db, batchId))?.orders[0];
  if (lease === null || order === undefined) throw new Error('the batch was not recorded');
  const signed = { orderHash: '0x1', salt: '1', payload: 'signed' };
  await commitAttempts(runtime, lease, [
    { orderId: order.id, signed, size: SIZE, price: order.price, feeRate: null, ...NO_BOOK_PRICES },
  ]);
}
