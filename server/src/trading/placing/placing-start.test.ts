import { sharesFromText } from '@dutchbook/units/shares.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { batches } from '../../world/schema.ts';
import { openTestWorld, testDatabases } from '../../world/test-world.ts';
import { loadBatchState } from './batch-state.ts';
import { commitAttempts } from './batch-writes.ts';
import { releaseLease, takeLease } from './lease.ts';
import { ended, recordedBatch, start, until } from './placing.fixture.ts';

describe.each(testDatabases)('what an earlier run left behind, on %s', (kind) => {
  it('is reconciled when another process has finished it', async () => {
    await using test = await openTestWorld(kind);
    const batchId = await recordedBatch(test);
    const mine = eq(batches.id, batchId);
    const held = { leaseOwner: test.world.dice.uuid(), leaseExpiresAt: test.world.clock.now() };
    await test.world.db.update(batches).set(held).where(mine);
    const { placing } = await start(test);
    expect(placing.isReconciled()).toBe(false);
    await test.world.db.update(batches).set({ status: 'failed' }).where(mine);
    await test.time.advance(1000);
    expect(placing.isReconciled()).toBe(true);
    await placing.stop();
  });

  it('is not reconciled by a question that the venue did not answer', async () => {
    await using test = await openTestWorld(kind);
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

  it('keeps a simulated batch from the venue, wherever it was broken off', async () => {
    await using test = await openTestWorld(kind);
    const { world } = test;
    const batchId = await recordedBatch(test, { ORDER_SIMULATION_ENABLED: true });
    const lease = await takeLease(world, world.dice.uuid(), batchId);
    const state = await loadBatchState(world.db, batchId);
    if (lease === null || state === null) throw new Error('the batch is not there');
    const signed = (id: string) => ({ orderHash: `simulated:${id}`, salt: '0', payload: '' });
    await commitAttempts(
      world,
      lease,
      state.orders.map(({ id, size, price }) => ({ orderId: id, signed: signed(id), size, price })),
    );
    await releaseLease(world.db, lease);

    const { venue, placing } = await start(test);
    const { batch, orders } = await until(test, batchId, ended);
    expect(venue.posted).toEqual([]);
    expect(batch.status).toBe('failed');
    expect(orders.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    await placing.stop();
  });
});

describe.each(testDatabases)('telling the open tabs, on %s', (kind) => {
  it('does not stand in the way of placing when it fails', async () => {
    await using test = await openTestWorld(kind);
    const watched = () => {
      throw new Error('the hub is broken');
    };
    const { venue, placing } = await start(test, undefined, { stream: { publish: () => {}, watched } });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await vi.waitFor(() => expect(venue.posted).toHaveLength(2), 60_000);
    await until(test, batchId, ended);
    await placing.stop();
  });
});
