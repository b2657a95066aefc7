import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { databaseNow } from '../../../platform/runtime/clock.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { LeaseLost, proveLease, takeLease } from './batch-lease.ts';
import { recordedBatch } from './runner.fixture.ts';

/** Two processes on one database, of which the clock of the second is `ms` off. */
function twoProcesses({ runtime }: TestRuntime, ms: number) {
  const own = { ...runtime, clock: { now: () => instantFromMs(runtime.clock.now() + ms) } };
  const [one, other] = [runtime.random.uuid(), runtime.random.uuid()];
  return {
    take: (batchId: string) => takeLease(runtime, one, batchId),
    takeByOther: (batchId: string) => takeLease(own, other, batchId),
  };
}

describe('the lease on a batch', () => {
  it.each([60_000, -60_000])('is not taken from who works on it by one whose clock is %i ms off', async (ms) => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const { take, takeByOther } = twoProcesses(test, ms);
    const batchId = await recordedBatch(test);
    const held = await take(batchId);
    if (held === null) throw new Error('a batch without a worker was not free');
    await time.advance(4000);
    expect(await takeByOther(batchId)).toBeNull();
    await runtime.db.transaction((tx) => proveLease(tx, runtime, held));
    await time.advance(4000);
    expect(await takeByOther(batchId)).toBeNull();

    await time.advance(1001);
    expect(await takeByOther(batchId)).toMatchObject({ token: held.token + 1 });
    await expect(runtime.db.transaction((tx) => proveLease(tx, runtime, held))).rejects.toThrow(LeaseLost);
    expect(await take(batchId)).toBeNull();
  });

  it("ends by the database's own clock", async () => {
    await using test = await openTestRuntime();
    const batchId = await recordedBatch(test);
    const runtime = { ...test.runtime, databaseNow };
    const [one, other] = [runtime.random.uuid(), runtime.random.uuid()];
    const held = await takeLease(runtime, one, batchId);
    if (held === null) throw new Error('a batch without a worker was not free');
    const { rows } = (await runtime.db.execute(
      `select lease_expires_at - now() between interval '-1 minute' and interval '5001 milliseconds' as soon from batches`,
    )) as unknown as { rows: unknown[] };
    expect(rows).toEqual([{ soon: true }]);
    expect(await takeLease(runtime, one, batchId)).toMatchObject({ token: held.token + 1 });
    await runtime.db.execute(`update batches set lease_expires_at = now() - interval '1 millisecond'`);
    expect(await takeLease(runtime, other, batchId)).toMatchObject({ token: held.token + 2 });
  });
});
