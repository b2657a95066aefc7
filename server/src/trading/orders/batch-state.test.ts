import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { takeLease } from '../execution/runner/batch-lease.ts';
import { commitAttempts } from '../execution/runner/batch-writes.ts';
import { NO_BOOK_PRICES } from '../execution/runner/book-prices.ts';
import { recordedBatch, SIZE } from '../execution/runner/runner.fixture.ts';
import { fillsOf, hasEnded, loadBatch, loadBatches } from './batch-state.ts';
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

describe('when a fill was matched', () => {
  const at = (time: string) => instantFromIso(`2026-11-26T22:05:${time}Z`);

  /** As it is worked with, of an order that left at 38.513 and was first reported at `knownAt`. */
  function matched({
    reported,
    knownAt,
    endedAt = null,
  }: Record<'reported' | 'knownAt', Instant> & { endedAt?: Instant | null }) {
    const order = { id: 'o1', side: 'buy' as const, chainStepId: null, sellsOrderId: null };
    const attempt = { id: 'a1', orderId: 'o1', createdAt: at('38.509'), sentAt: at('38.513'), endedAt };
    const fill = { attemptId: 'a1', matchedAt: reported, createdAt: knownAt };
    const state = {
      ...{ batch: { splitStepId: null }, orders: [order], received: [], sales: [] },
      ...{ attempts: [attempt], fills: [fill] },
    };
    return fillsOf(state, 'o1').map(({ matchedAt }) => new Date(matchedAt).toISOString().slice(17, -1));
  }

  it('is when it was known, where the venue names the second of it alone', () => {
    expect(matched({ reported: at('38.000'), knownAt: at('38.561') })).toEqual(['38.561']);
  });

  it('is when its order was known to have ended, before its trades were read', () => {
    expect(matched({ reported: at('38.000'), knownAt: at('38.561'), endedAt: at('38.540') })).toEqual(['38.540']);
  });

  it('is in the second that the venue names, however late it was known', () => {
    expect(matched({ reported: at('38.000'), knownAt: at('51.200') })).toEqual(['38.999']);
  });

  it('is not before its order left, even by a clock that is behind', () => {
    expect(matched({ reported: at('36.000'), knownAt: at('38.561') })).toEqual(['38.513']);
  });

  it('is what the venue says, where it names the millisecond', () => {
    expect(matched({ reported: at('38.540'), knownAt: at('38.561') })).toEqual(['38.540']);
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
