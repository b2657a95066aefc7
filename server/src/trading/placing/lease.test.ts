import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { databaseNow } from '../../world/clock.ts';
import { openTestWorld, type TestWorld, testDatabases } from '../../world/test-world.ts';
import { LeaseLost, proveLease, takeLease } from './lease.ts';
import { recordedBatch } from './placing.fixture.ts';

/** Two processes on one database, of which the clock of the second is `ms` off. */
function twoProcesses({ world }: TestWorld, ms: number) {
  const own = { ...world, clock: { now: () => instantFromMs(world.clock.now() + ms) } };
  const [one, other] = [world.dice.uuid(), world.dice.uuid()];
  return {
    take: (batchId: string) => takeLease(world, one, batchId),
    takeByOther: (batchId: string) => takeLease(own, other, batchId),
  };
}

describe.each(testDatabases)('the lease on a batch, on %s', (kind) => {
  it.each([60_000, -60_000])('is not taken from who works on it by one whose clock is %i ms off', async (ms) => {
    await using test = await openTestWorld(kind);
    const { world, time } = test;
    const { take, takeByOther } = twoProcesses(test, ms);
    const batchId = await recordedBatch(test);
    const held = await take(batchId);
    if (held === null) throw new Error('a batch that nobody works on was not free');
    await time.advance(4000);
    expect(await takeByOther(batchId)).toBeNull();
    await world.db.transaction((tx) => proveLease(tx, world, held));
    await time.advance(4000);
    expect(await takeByOther(batchId)).toBeNull();

    await time.advance(1001);
    expect(await takeByOther(batchId)).toMatchObject({ token: held.token + 1 });
    await expect(world.db.transaction((tx) => proveLease(tx, world, held))).rejects.toThrow(LeaseLost);
    expect(await take(batchId)).toBeNull();
  });

  it("ends by the database's own clock", async () => {
    await using test = await openTestWorld(kind);
    const batchId = await recordedBatch(test);
    const world = { ...test.world, databaseNow };
    const [one, other] = [world.dice.uuid(), world.dice.uuid()];
    const held = await takeLease(world, one, batchId);
    if (held === null) throw new Error('a batch that nobody works on was not free');
    const { rows } = (await world.db.execute(
      `select lease_expires_at - now() between interval '-1 minute' and interval '5 seconds' as soon from batches`,
    )) as unknown as { rows: unknown[] };
    expect(rows).toEqual([{ soon: true }]);
    expect(await takeLease(world, one, batchId)).toMatchObject({ token: held.token + 1 });
    await world.db.execute(`update batches set lease_expires_at = now() - interval '1 millisecond'`);
    expect(await takeLease(world, other, batchId)).toMatchObject({ token: held.token + 2 });
  });
});
