import { elapsedMs, instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it, vi } from 'vitest';
import { openDatabaseClock, realClock } from './clock.ts';
import { openTestWorld, testDatabases } from './test-world.ts';

const HOUR_MS = 3_600_000;
/** More than asking the database's time ever takes, and far less than what the machines are off. */
const NEAR_MS = HOUR_MS / 6;

describe.each(testDatabases)('the clock of a process on %s', (kind) => {
  it("is the database's, whatever the machine's own shows and however that is set", async () => {
    await using test = await openTestWorld(kind);
    const { world, time } = test;
    let offMs = HOUR_MS;
    const machine = { now: () => instantFromMs(realClock.now() + offMs) };
    const { clock, stop } = await openDatabaseClock(machine, world);
    const offBy = () => Math.abs(elapsedMs(realClock.now(), clock.now()));
    expect(offBy()).toBeLessThan(NEAR_MS);
    offMs = -HOUR_MS;
    expect(offBy()).toBeGreaterThan(NEAR_MS);
    await time.advance(1000);
    expect(offBy()).toBeLessThan(NEAR_MS);
    stop();
  });

  it('goes on as it was while the database does not answer', async () => {
    await using test = await openTestWorld(kind);
    const { world, time } = test;
    const machine = { now: () => instantFromMs(realClock.now() - HOUR_MS) };
    const { clock, stop } = await openDatabaseClock(machine, world);
    const asked = vi.spyOn(world.db, 'execute').mockRejectedValue(new Error('gone'));
    await time.advance(2000);
    expect(asked).toHaveBeenCalledTimes(2);
    expect(Math.abs(elapsedMs(realClock.now(), clock.now()))).toBeLessThan(NEAR_MS);
    stop();
    await expect(openDatabaseClock(machine, world)).rejects.toThrow('gone');
  });
});
