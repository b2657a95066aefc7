import { describe, expect, it } from 'vitest';
import { recordedBatch } from '../trading/placing/placing.fixture.ts';
import { openTestWorld, testDatabases } from '../world/test-world.ts';
import { bindKey, idempotentRequest, KeyTaken, oncePerKey } from './idempotency.ts';
import { listBatches } from './store.ts';

const everything = { skip: 0, limit: 10, sortBy: 'created_at', sortOrder: 'asc' } as const;

describe.each(testDatabases)('a key that two requests use at once, on %s', (kind) => {
  it('is bound to one batch, and the other request leaves none and learns why', async () => {
    await using test = await openTestWorld(kind);
    const { world } = test;
    const request = idempotentRequest(world.dice.uuid(), 'a key', { order_size: 10 });
    const place = () =>
      world.db.transaction(async (tx) => {
        const batchId = await recordedBatch({ ...test, world: { ...world, db: tx } });
        await bindKey(tx, world, request, { batchId, saleId: null });
        return batchId;
      });
    const outcomes = await Promise.allSettled([place(), place()]);
    const bound = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(bound).toHaveLength(1);
    expect(refused).toEqual([expect.any(KeyTaken)]);
    const { rows } = await listBatches(world.db, {}, everything);
    expect(rows.map(({ id }) => id)).toEqual(bound);
    const again = oncePerKey(world.db, request, () => Promise.reject(new Error('it was done before')));
    expect(await again).toEqual({ batchId: bound[0], saleId: null });
  });
});
