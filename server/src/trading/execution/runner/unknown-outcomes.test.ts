import { describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../../test-runtime.ts';
import { ended, pass, recordedBatch, SIZE, snapshotOf, start, until } from './runner.fixture.ts';

const SLOW = 'the venue has not answered yet';

describe('unknown orders', () => {
  it('takes a refusal of the second copy for no proof about the first, which was still on its way', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    let late = () => {};
    venue.onPost((order) => {
      late = () => void venue.take(order);
      venue.onPost(() => {
        venue.onPost((other) => venue.take(other));
        late();
        return { kind: 'rejected', reason: 'not enough balance / allowance' };
      });
      return { kind: 'unknown', reason: 'timed out' };
    });
    const batchId = await recordedBatch(test, {}, ['101']);
    placing.wake(batchId);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('completed');
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE]);
    expect(venue.posted).toHaveLength(2);
    await placing.stop();
  });

  it('are those whose post is not answered for long, which then says so', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const { trading } = venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    const postOrders = trading.postOrders;
    let answer = () => {};
    trading.postOrders = async (orders) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return await postOrders(orders);
    };
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { attempts } = await until(test, batchId, (state) => state.attempts[0]?.status === 'unknown');
    expect(attempts.map(({ unknownReason }) => unknownReason)).toEqual([SLOW, SLOW]);
    answer();
    const { batch } = await until(test, batchId, ended);
    expect([batch.status, venue.posted.length]).toEqual(['completed', 2]);
    await placing.stop();
  });

  it('stops sending an order that never arrives, and fails it when no copy can be under way any more', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost(() => ({ kind: 'unknown', reason: 'bad gateway' }));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ({ attempts }) => attempts.some(({ status }) => status === 'unknown'));
    await pass(test, 61_000);
    const sent = venue.posted.length;
    venue.onPost((order) => venue.take(order));
    // The last copy left after a minute, and may take two to arrive.
    await pass(test, 115_000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    await pass(test, 10_000);
    const { batch, orders } = await until(test, batchId, ended);
    expect(venue.posted).toHaveLength(sent);
    expect(batch).toMatchObject({ status: 'failed', lastError: expect.stringMatching(/never reached.*bad gateway/i) });
    expect(orders.map(({ status }) => status)).toEqual(['failed', 'failed']);
    await placing.stop();
  });

  it('cancels, with nothing matched, an order that the venue proved to have taken and then forgot', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost(() => {
      // The second copy is answered with "Duplicated".
      venue.onPost(({ orderHash }) => ({ kind: 'accepted', orderHash, venueName: 'V1', status: 'open' }));
      return { kind: 'unknown', reason: 'timed out' };
    });
    const batchId = await recordedBatch(test, {}, ['101']);
    placing.wake(batchId);
    await until(test, batchId, ({ attempts }) => attempts.some(({ status }) => status === 'open'));
    await pass(test, 100_000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    await pass(test, 60_000);
    const { batch, orders, attempts } = await until(test, batchId, ended);
    expect(venue.posted).toHaveLength(2);
    expect(batch).toMatchObject({ status: 'failed', totalOrders: 1 });
    expect(attempts).toMatchObject([{ status: 'canceled', venueName: 'V1' }]);
    expect(orders).toMatchObject([{ status: 'canceled', filledSize: 0 }]);
    await placing.stop();
  });
});
