import { describe, expect, it } from 'vitest';
import { DatabaseDown } from '../../platform/database/database-down.ts';
import { MayBeDone } from '../../platform/http/errors.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { recordedBatch } from '../execution/runner/runner.fixture.ts';
import { listBatches } from '../orders/batch-store.ts';
import { type Bind, idempotentRequest, oncePerKey, type Recorded } from './idempotency.ts';

const everything = { skip: 0, limit: 10, sortBy: 'created_at', sortOrder: 'asc' } as const;

const batchOf = async ({ batchId }: Recorded) => batchId;

describe('a key that two requests use at once', () => {
  it('is bound to one batch, and the other request leaves none and is answered with that', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const request = idempotentRequest(runtime.random.uuid(), 'a key', { order_size: 10 });
    const bothHaveBegun = Promise.withResolvers<void>();
    let begun = 0;
    const perform = async (bind: Bind) => {
      begun += 1;
      if (begun === 2) bothHaveBegun.resolve();
      await bothHaveBegun.promise;
      return await runtime.db.transaction(async (tx) => {
        const recorded = { batchId: await recordedBatch({ ...test, runtime: { ...runtime, db: tx } }), saleId: null };
        await bind(tx, runtime, recorded);
        return recorded;
      });
    };
    const place = () => oncePerKey(runtime, request, perform, batchOf);
    const [one, other] = await Promise.all([place(), place()]);
    expect(other).toBe(one);
    const { rows } = await listBatches(runtime.db, {}, everything);
    expect(rows.map(({ id }) => id)).toEqual([one]);
    const again = oncePerKey(runtime, request, () => Promise.reject(new Error('it was done before')), batchOf);
    expect(await again).toBe(one);
  });
});

describe('a request that the database forsakes', () => {
  const gone = new DatabaseDown('gone');
  const fail = () => Promise.reject(gone);
  const bought: Recorded = { batchId: '00000000-0000-4000-8000-000000000000', saleId: null };

  it('is told apart from one that was never recorded, unless a key makes repeating it harmless', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const recorded = async (bind: Bind) => {
      await runtime.db.transaction((tx) => bind(tx, runtime, bought));
      return bought;
    };
    const lostWhileCommitted = async (bind: Bind) => {
      await runtime.db.transaction((tx) => bind(tx, runtime, bought));
      throw gone;
    };
    const without = (perform: typeof recorded, answer = batchOf) => oncePerKey(runtime, null, perform, answer);
    await expect(without(fail)).rejects.toBe(gone);
    await expect(without(recorded, fail)).rejects.toThrow(MayBeDone);
    await expect(without(lostWhileCommitted)).rejects.toThrow(MayBeDone);

    const request = idempotentRequest(runtime.random.uuid(), 'a key', {});
    await expect(oncePerKey(runtime, request, recorded, fail)).rejects.toBe(gone);
    expect(await oncePerKey(runtime, request, fail, batchOf)).toBe(bought.batchId);
  });
});
