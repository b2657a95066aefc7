import { describe, expect, it } from 'vitest';
import { openTestWorld, testDatabases } from '../../world/test-world.ts';
import { ended, pass, recordedBatch, SIZE, snapshotOf, start, until } from './placing.fixture.ts';

describe.each(testDatabases)('orders in doubt, on %s', (kind) => {
  it('takes a refusal of the second copy for no proof about the first, which was still on its way', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    let late = () => {};
    venue.onPost((order) => {
      late = () => void venue.take(order);
      venue.onPost(() => {
        venue.onPost((other) => venue.take(other));
        late();
        return { kind: 'refused', reason: 'not enough balance / allowance' };
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

  it('stops sending an order that never arrives, and fails it when no copy can be under way any more', async () => {
    await using test = await openTestWorld(kind);
    const { venue, placing } = await start(test);
    venue.onPost(() => ({ kind: 'unknown', reason: 'bad gateway' }));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ({ attempts }) => attempts.some(({ reason }) => reason !== null));
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
});
