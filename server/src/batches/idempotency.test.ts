import { describe, expect, it } from 'vitest';
import { MayBeDone } from '../http/errors.ts';
import { recordedBatch } from '../trading/placing/placing.fixture.ts';
import { DatabaseDown } from '../world/database-down.ts';
import { openTestWorld, testDatabases } from '../world/test-world.ts';
import { type Bind, type Deed, idempotentRequest, oncePerKey } from './idempotency.ts';
import { listBatches } from './store.ts';

const everything = { skip: 0, limit: 10, sortBy: 'created_at', sortOrder: 'asc' } as const;

const batchOf = async ({ batchId }: Deed) => batchId;

describe.each(testDatabases)('a key that two requests use at once, on %s', (kind) => {
  it('is bound to one batch, and the other request leaves none and is answered with that', async () => {
    await using test = await openTestWorld(kind);
    const { world } = test;
    const request = idempotentRequest(world.dice.uuid(), 'a key', { order_size: 10 });
    const bothHaveBegun = Promise.withResolvers<void>();
    let begun = 0;
    const perform = async (bind: Bind) => {
      begun += 1;
      if (begun === 2) bothHaveBegun.resolve();
      await bothHaveBegun.promise;
      return await world.db.transaction(async (tx) => {
        const deed = { batchId: await recordedBatch({ ...test, world: { ...world, db: tx } }), saleId: null };
        await bind(tx, world, deed);
        return deed;
      });
    };
    const place = () => oncePerKey(world.db, request, perform, batchOf);
    const [one, other] = await Promise.all([place(), place()]);
    expect(other).toBe(one);
    const { rows } = await listBatches(world.db, {}, everything);
    expect(rows.map(({ id }) => id)).toEqual([one]);
    const again = oncePerKey(world.db, request, () => Promise.reject(new Error('it was done before')), batchOf);
    expect(await again).toBe(one);
  });
});

describe.each(testDatabases)('a request that the database forsakes, on %s', (kind) => {
  const gone = new DatabaseDown('gone');
  const fail = () => Promise.reject(gone);
  const deed: Deed = { batchId: '00000000-0000-4000-8000-000000000000', saleId: null };

  it('is told apart from one that was never recorded, unless a key makes repeating it harmless', async () => {
    await using test = await openTestWorld(kind);
    const { world } = test;
    const recorded = async (bind: Bind) => {
      await world.db.transaction((tx) => bind(tx, world, deed));
      return deed;
    };
    const lostWhileCommitted = async (bind: Bind) => {
      await world.db.transaction((tx) => bind(tx, world, deed));
      throw gone;
    };
    const without = (perform: typeof recorded, answer = batchOf) => oncePerKey(world.db, null, perform, answer);
    await expect(without(fail)).rejects.toBe(gone);
    await expect(without(recorded, fail)).rejects.toThrow(MayBeDone);
    await expect(without(lostWhileCommitted)).rejects.toThrow(MayBeDone);

    const request = idempotentRequest(world.dice.uuid(), 'a key', {});
    await expect(oncePerKey(world.db, request, recorded, fail)).rejects.toBe(gone);
    expect(await oncePerKey(world.db, request, fail, batchOf)).toBe(deed.batchId);
  });
});
