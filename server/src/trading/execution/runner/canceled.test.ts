import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { VenueTrading } from '@dutchbook/venues/venue.ts';
import { describe, expect, it, vi } from 'vitest';
import { batchSubject } from '../../../platform/http/stops.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import type { BatchState } from '../../orders/batch-state.ts';
import { cancelActiveBatches, DISARMED, requestCancel, requestPoll } from '../../orders/intents.ts';
import { ended, pass, recordedBatch, SIZE, snapshotOf, start, until } from './runner.fixture.ts';

const NONE = sharesFromText('0');
const PART = sharesFromText('4');

const cancel = ({ runtime }: TestRuntime, batchId: string) =>
  runtime.db.transaction((tx) => requestCancel(tx, runtime, batchId));

describe('a batch whose end is asked for', () => {
  it('is canceled before anything of it was signed', async () => {
    await using test = await openTestRuntime();
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
      await using test = await openTestRuntime();
      let asked: Promise<unknown> = Promise.resolve();
      const batchId = await recordedBatch(test);
      const passed = (name: string) => {
        if (name === point) asked = cancel(test, batchId);
      };
      const { venue, placing } = await start(test, undefined, { runtime: { ...test.runtime, pass: passed } });
      const { batch } = await until(test, batchId, ended);
      await asked;
      // A cancel that came while the orders were being marked as sent waited for that, and finds them filled.
      if (venue.posted.length === 0) expect(batch.status).toBe('canceled');
      else expect(batch.status).toBe('completed');
      await placing.stop();
    },
  );

  it('takes what rests off the venue while that cannot be stored, and books it from the venue afterwards', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const { venue, placing } = await start(test);
    venue.onPost((order) => venue.take(order, PART));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ({ fills }) => fills.length === 2);
    const elsewhere = await venue.venue.trading?.signOrder({
      ...{ tokenId: '101', market: { id: 'market-101' } as never, side: 'buy', price: 400_000 as never },
      ...{ size: SIZE, remainder: 'rest' },
    });
    if (elsewhere) venue.take(elsewhere, NONE);
    let isAway = true;
    const stop = { action: 'batch.canceled', subject: batchSubject(batchId), askedAt: runtime.clock.now() } as const;
    const store = async () => {
      if (isAway) throw new Error('the database is away');
      await cancel(test, batchId);
    };
    const actor = { id: null, email: 'ada@example.com', address: '127.0.0.1' };
    expect(await runtime.stops.carryOut({ ...stop, actor, store })).toEqual({ kind: 'held', isKept: true });
    await pass(test, 2000);
    const atVenue = [...venue.orders.values()].map(({ status }) => status);
    expect(atVenue).toEqual(['canceled', 'canceled', 'open']);
    const meanwhile = await snapshotOf(test, batchId);
    expect(meanwhile?.attempts.map(({ status }) => status)).toEqual(['open', 'open']);
    isAway = false;
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('canceled');
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([PART, PART]);
    await placing.stop();
  });

  it('takes what rests off the venue and keeps what was filled', async () => {
    await using test = await openTestRuntime();
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
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await expect.poll(() => venue.posted).toHaveLength(2);
    await cancel(test, batchId);
    const { batch } = await until(test, batchId, ended);
    expect(batch.status).toBe('completed');
    await placing.stop();
  });

  it('does not end on a cancel that was not answered', async () => {
    await using test = await openTestRuntime();
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
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('canceled');
    await placing.stop();
  });

  it('ends with that reason when trading is disarmed, and leaves batches that have ended alone', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const before = await recordedBatch(test);
    placing.wake(before);
    await until(test, before, ended);
    venue.onPost((order) => venue.take(order, NONE));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ({ orders }) => orders.every(({ status }) => status === 'open'));
    await test.runtime.db.transaction((tx) => cancelActiveBatches(tx, test.runtime, 'polymarket'));
    const { batch } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'canceled', lastError: DISARMED });
    expect((await snapshotOf(test, before))?.batch).toMatchObject({ status: 'completed', cancelRequestedAt: null });
    await placing.stop();
  });
});

/** A batch of which the venue has taken every order and filled nothing. */
async function resting(test: TestRuntime) {
  const { venue, placing } = await start(test);
  venue.onPost((order) => venue.take(order, NONE));
  const batchId = await recordedBatch(test);
  placing.wake(batchId);
  await until(test, batchId, ({ orders }) => orders.every(({ status }) => status === 'open'));
  return { venue, placing, batchId };
}

describe('a poll that is asked for', () => {
  it('asks the venue at once about what has not ended, and is over when it has answered about all of it', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const { venue, placing, batchId } = await resting(test);
    venue.answers = false;
    await pass(test, 5000);
    await requestPoll(runtime.db, runtime, [batchId]);
    await pass(test, 3000);
    expect((await snapshotOf(test, batchId))?.batch.pollRequestedAt).not.toBeNull();
    venue.answers = true;
    await pass(test, 2000);
    expect((await snapshotOf(test, batchId))?.batch.pollRequestedAt).toBeNull();
    await placing.stop();
  });

  it('asks the venue no more often however many want to know', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const { venue, placing, batchId } = await resting(test);
    // By then it asks as seldom as it ever does.
    await pass(test, 10_000);
    const asked = vi.spyOn(venue.venue.trading as VenueTrading, 'lookupOrder');
    for (let fifth = 0; fifth < 50; fifth += 1) {
      for (let nth = 0; nth < 4; nth += 1) {
        await requestPoll(runtime.db, runtime, [batchId]);
        placing.wake(batchId);
      }
      await pass(test, 200);
    }
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2 * 6);
    expect((await snapshotOf(test, batchId))?.batch.pollRequestedAt).toBeNull();
    await placing.stop();
  });

  it('shows an unknown order with what the venue said of it, until that is known', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost((order) => {
      if (venue.orders.size > 0) return { kind: 'unknown', reason: 'connection reset' };
      return venue.take(order);
    });
    venue.answers = false;
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { attempts } = await until(test, batchId, ({ batch }) => batch.unknownOrders === 1);
    expect(attempts[1]).toMatchObject({ status: 'unknown', unknownReason: 'connection reset' });
    const isAsked = (state: BatchState) => state.attempts[1]?.lookupAnswer != null;
    const { attempts: asked } = await until(test, batchId, isAsked);
    expect(asked[1]?.lookupAnswer).toBe('It did not say: the venue does not answer');
    venue.answers = true;
    venue.onPost((order) => venue.take(order));
    const { batch } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'completed', unknownOrders: 0, lastError: null });
    const { orders } = (await snapshotOf(test, batchId)) ?? {};
    expect(orders?.map(({ error }) => error)).toEqual([null, null]);
    await placing.stop();
  });
});
