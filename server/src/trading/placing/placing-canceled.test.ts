import { sharesFromText } from '@dutchbook/units/shares.ts';
import { describe, expect, it, vi } from 'vitest';
import { cancelActiveBatches, DISARMED, requestCancel, requestLook } from '../../batches/intents.ts';
import { openTestWorld, type TestWorld, testDatabases } from '../../world/test-world.ts';
import type { BatchState } from './batch-state.ts';
import { ended, pass, recordedBatch, SIZE, snapshotOf, start, until } from './placing.fixture.ts';

const NONE = sharesFromText('0');
const PART = sharesFromText('4');

const cancel = ({ world }: TestWorld, batchId: string) =>
  world.db.transaction((tx) => requestCancel(tx, world, batchId));

describe.each(testDatabases)('a batch whose end is asked for, on %s', (kind) => {
  it('is canceled before anything of it was signed', async () => {
    await using test = await openTestWorld(kind);
    const batchId = await recordedBatch(test);
    await cancel(test, batchId);
    const { venue, placing } = await start(test);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'canceled', totalOrders: 0 });
    expect(orders.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    expect(venue.posted).toEqual([]);
    await placing.stop();
  });

  it.each(['orders_signed', 'attempts_committed'] as const)(
    'sends all of it or nothing when that happens at %s',
    async (point) => {
      await using test = await openTestWorld(kind);
      let asked: Promise<unknown> = Promise.resolve();
      const batchId = await recordedBatch(test);
      const passed = (name: string) => {
        if (name === point) asked = cancel(test, batchId);
      };
      const { venue, placing } = await start(test, undefined, { world: { ...test.world, pass: passed } });
      const { batch } = await until(test, batchId, ended);
      await asked;
      // A cancel that came while the orders were being marked as sent waited for that, and finds them filled.
      if (venue.posted.length === 0) expect(batch.status).toBe('canceled');
      else expect(batch.status).toBe('completed');
      await placing.stop();
    },
  );

  it('takes what rests off the venue and keeps what was filled', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    venue.onPost((order) => venue.take(order, venue.orders.size === 0 ? SIZE : PART));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ({ fills }) => fills.length === 2);
    await cancel(test, batchId);
    placing.wake(batchId);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('canceled');
    expect(orders.map(({ filledSize, status }) => [filledSize, status])).toEqual([
      [SIZE, 'filled'],
      [PART, 'partially_filled'],
    ]);
    expect([...venue.orders.values()].map(({ status }) => status)).toEqual(['matched', 'canceled']);
    expect(batch.unhedged?.positions.map(({ shares }) => shares)).toEqual([SIZE - PART]);
    await placing.stop();
  });

  it('is completed all the same when the venue was faster', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await vi.waitFor(() => expect(venue.posted).toHaveLength(2), 60_000);
    await cancel(test, batchId);
    const { batch } = await until(test, batchId, ended);
    expect(batch.status).toBe('completed');
    await placing.stop();
  });

  it('does not end on a cancel that was not answered', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    venue.onPost((order) => venue.take(order, NONE));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ({ orders }) => orders.every(({ status }) => status === 'open'));
    venue.cancels = 'unanswered';
    venue.orders.clear();
    await cancel(test, batchId);
    placing.wake(batchId);
    await pass(test, 20_000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    venue.cancels = 'refused';
    await pass(test, 9000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    await pass(test, 9000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('canceled');
    await placing.stop();
  });

  it('ends with that reason when somebody disarms, and leaves batches that have ended alone', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    const before = await recordedBatch(test);
    placing.wake(before);
    await until(test, before, ended);
    venue.onPost((order) => venue.take(order, NONE));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ({ orders }) => orders.every(({ status }) => status === 'open'));
    await test.world.db.transaction((tx) => cancelActiveBatches(tx, test.world));
    const { batch } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'canceled', lastError: DISARMED });
    expect((await snapshotOf(test, before))?.batch).toMatchObject({ status: 'completed', cancelRequestedAt: null });
    await placing.stop();
  });
});

describe.each(testDatabases)('a look that is asked for, on %s', (kind) => {
  it('asks the venue at once about what has not ended, and is over when it has answered about all of it', async () => {
    await using test = await openTestWorld(kind);
    const { world } = test;
    const { venue, placing } = await start(test);
    venue.onPost((order) => venue.take(order, NONE));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ({ orders }) => orders.every(({ status }) => status === 'open'));
    await pass(test, 5000);
    venue.answers = false;
    await requestLook(world.db, world, [batchId]);
    await pass(test, 3000);
    expect((await snapshotOf(test, batchId))?.batch.lookRequestedAt).not.toBeNull();
    venue.answers = true;
    await pass(test, 2000);
    expect((await snapshotOf(test, batchId))?.batch.lookRequestedAt).toBeNull();
    await placing.stop();
  });

  it('shows an order in doubt with what the venue said of it, until that is known', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    venue.onPost((order) => {
      if (venue.orders.size > 0) return { kind: 'unknown', reason: 'connection reset' };
      return venue.take(order);
    });
    venue.answers = false;
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { attempts } = await until(test, batchId, ({ batch }) => batch.ordersInDoubt === 1);
    expect(attempts[1]).toMatchObject({ status: 'sent', reason: 'Outcome unknown, asking: connection reset' });
    const isAsked = (state: BatchState) => state.attempts[1]?.lookupAnswer != null;
    const { attempts: asked } = await until(test, batchId, isAsked);
    expect(asked[1]?.lookupAnswer).toBe('It did not say: the venue does not answer');
    venue.answers = true;
    venue.onPost((order) => venue.take(order));
    const { batch } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'completed', ordersInDoubt: 0, lastError: null });
    const { orders } = (await snapshotOf(test, batchId)) ?? {};
    expect(orders?.map(({ error }) => error)).toEqual([null, null]);
    await placing.stop();
  });
});
