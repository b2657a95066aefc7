import { sharesFromText } from '@dutchbook/units/shares.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { openTestRuntime } from '../../../test-runtime.ts';
import { loadBatch } from '../../orders/batch-state.ts';
import { batches } from '../../orders/table.ts';
import { releaseLease, takeLease } from './batch-lease.ts';
import { commitAttempts } from './batch-writes.ts';
import { NO_BOOK_PRICES } from './book-prices.ts';
import { ended, recordedBatch, start, until } from './runner.fixture.ts';

describe('what an earlier run left behind', () => {
  it('is reconciled when another process has finished it', async () => {
    await using test = await openTestRuntime();
    const batchId = await recordedBatch(test);
    const mine = eq(batches.id, batchId);
    const held = { leaseOwner: test.runtime.random.uuid(), leaseExpiresAt: test.runtime.clock.now() };
    await test.runtime.db.update(batches).set(held).where(mine);
    const { placing } = await start(test);
    expect(placing.isReconciled()).toBe(false);
    await test.runtime.db.update(batches).set({ status: 'failed' }).where(mine);
    await test.time.advance(1000);
    expect(placing.isReconciled()).toBe(true);
    await placing.stop();
  });

  it('is not reconciled by a question that the venue did not answer', async () => {
    await using test = await openTestRuntime();
    const before = await start(test);
    before.venue.onPost((order) => before.venue.take(order, sharesFromText('4')));
    const batchId = await recordedBatch(test);
    before.placing.wake(batchId);
    await until(test, batchId, ({ fills }) => fills.length === 2);
    await before.placing.stop();

    const { trading } = before.venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    const { fillsOfOrder } = trading;
    const inVain = vi.fn(() => Promise.reject(new VenueUnavailable('bad gateway')));
    trading.fillsOfOrder = inVain;
    await test.time.advance(10);
    const { placing } = await start(test, before.venue);
    await until(test, batchId, () => inVain.mock.calls.length > 2);
    expect(placing.isReconciled()).toBe(false);
    trading.fillsOfOrder = fillsOfOrder;
    await until(test, batchId, () => placing.isReconciled());
    await placing.stop();
  });

  it('is not waited for when only the settlement of an ended batch is still to be read', async () => {
    await using test = await openTestRuntime();
    const before = await start(test);
    const batchId = await recordedBatch(test);
    before.placing.wake(batchId);
    await until(test, batchId, ended);
    await before.placing.stop();

    const { trading } = before.venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    const { fillsOfOrder } = trading;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const asked = vi.fn<typeof fillsOfOrder>((...given) => answered.then(() => fillsOfOrder(...given)));
    trading.fillsOfOrder = asked;
    const { placing } = await start(test, before.venue);
    await expect.poll(() => asked).toHaveBeenCalled();
    expect(placing.isReconciled()).toBe(true);
    answer();
    await placing.stop();
  });

  it('keeps a simulated batch from the venue, wherever it was broken off', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const batchId = await recordedBatch(test, { ORDER_SIMULATION_ENABLED: true });
    const lease = await takeLease(runtime, runtime.random.uuid(), batchId);
    const state = await loadBatch(runtime.db, batchId);
    if (lease === null || state === null) throw new Error('the batch is not there');
    const signed = (id: string) => ({ orderHash: `simulated:${id}`, salt: '0', payload: '' });
    await commitAttempts(
      runtime,
      lease,
      state.orders.map(({ id, size, price }) => ({
        orderId: id,
        signed: signed(id),
        size,
        price,
        feeRate: null,
        ...NO_BOOK_PRICES,
      })),
    );
    await releaseLease(runtime.db, lease);

    const { venue, placing } = await start(test);
    const { batch, orders } = await until(test, batchId, ended);
    expect(venue.posted).toEqual([]);
    expect(batch.status).toBe('failed');
    expect(orders.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    await placing.stop();
  });
});

describe('telling the open tabs', () => {
  it('does not stand in the way of placing when it fails', async () => {
    await using test = await openTestRuntime();
    const watched = () => {
      throw new Error('the hub is broken');
    };
    const { venue, placing } = await start(test, undefined, { stream: { publish: () => {}, watched } });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await expect.poll(() => venue.posted).toHaveLength(2);
    await until(test, batchId, ended);
    await placing.stop();
  });
});
