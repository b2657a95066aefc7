import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { cancelActiveBatches, requestCancel } from '../../batches/intents.ts';
import { openTestWorld, testDatabases } from '../../world/test-world.ts';
import { loadBatchState } from './batch-state.ts';
import { commitAttempts, finishBatch, refuseUnsent } from './batch-writes.ts';
import { takeLease } from './lease.ts';
import { recordedBatch } from './placing.fixture.ts';

describe.each(testDatabases)('the time of the last change to a batch and its orders, on %s', (kind) => {
  it('does not go back where the machine that writes is behind the one that wrote before', async () => {
    await using test = await openTestWorld(kind);
    const { world } = test;
    const ahead = { ...world, clock: { now: () => instantFromMs(world.clock.now() + 60_000) } };
    const batchId = await recordedBatch({ ...test, world: ahead });
    const writtenAt = ahead.clock.now();
    const times = async () => {
      const state = await loadBatchState(world.db, batchId);
      return [state?.batch.updatedAt, ...(state?.orders.map(({ updatedAt }) => updatedAt) ?? [])];
    };
    const expectNotBefore = async () => expect(await times()).toEqual([writtenAt, writtenAt, writtenAt]);

    await world.db.transaction((tx) => requestCancel(tx, world, batchId));
    await expectNotBefore();
    await cancelActiveBatches(world.db, world);
    const lease = await takeLease(world, world.dice.uuid(), batchId);
    const [one, other] = (await loadBatchState(world.db, batchId))?.orders ?? [];
    if (lease === null || one === undefined || other === undefined) throw new Error('the batch is not there');
    const { id, size, price } = one;
    const signed = { orderHash: 'hash', salt: '0', payload: '' };
    const after = await commitAttempts(world, lease, [{ orderId: id, signed, size, price }]);
    expect(after.orders.map(({ updatedAt }) => updatedAt)).toEqual([writtenAt, writtenAt]);
    await refuseUnsent(world, lease, [id, other.id], 'refused');
    await expectNotBefore();
    await test.time.advance(61_000);
    const { batch } = await finishBatch(world, lease, after, { event: 'canceled', reason: null });
    expect(batch.updatedAt).toBe(world.clock.now());
  });
});
