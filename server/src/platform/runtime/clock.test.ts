import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { elapsedMs, instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it, vi } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { openDatabaseClock, openExchangeClock, realClock } from './clock.ts';

const HOUR_MS = 3_600_000;
/** More than asking the database's time ever takes, and far less than what the machines are off. */
const NEAR_MS = HOUR_MS / 6;

describe('the clock of a process', () => {
  it("is the database's, whatever the machine's own shows and however that is set", async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    let offMs = HOUR_MS;
    const machine = { now: () => instantFromMs(realClock.now() + offMs) };
    const { clock, stop } = await openDatabaseClock(machine, runtime);
    const offBy = () => Math.abs(elapsedMs(realClock.now(), clock.now()));
    expect(offBy()).toBeLessThan(NEAR_MS);
    offMs = -HOUR_MS;
    expect(offBy()).toBeGreaterThan(NEAR_MS);
    await time.advance(1000);
    expect(offBy()).toBeLessThan(NEAR_MS);
    stop();
  });

  it('goes on as it was while the database does not answer', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const machine = { now: () => instantFromMs(realClock.now() - HOUR_MS) };
    const { clock, stop } = await openDatabaseClock(machine, runtime);
    const asked = vi.spyOn(runtime.db, 'execute').mockRejectedValue(new Error('gone'));
    await time.advance(2000);
    expect(asked).toHaveBeenCalledTimes(2);
    expect(Math.abs(elapsedMs(realClock.now(), clock.now()))).toBeLessThan(NEAR_MS);
    stop();
    await expect(openDatabaseClock(machine, runtime)).rejects.toThrow('gone');
  });
});

it("is at once where the simulated exchange's clock was moved to", async () => {
  await using test = await openTestRuntime();
  const waiting: ServerResponse[] = [];
  const tell = (reply: ServerResponse, offsetMs: number) => reply.end(JSON.stringify({ offset_ms: offsetMs }));
  const exchange = createServer(({ url }, reply) => {
    if (url?.includes('unlike=')) waiting.push(reply);
    else tell(reply, 0);
  });
  await new Promise<void>((resolve) => exchange.listen(0, '127.0.0.1', resolve));
  const { port } = exchange.address() as AddressInfo;
  const { timers, log } = test.runtime;
  const { clock, stop } = await openExchangeClock(realClock, `http://127.0.0.1:${port}`, timers, log);
  const aheadMs = () => elapsedMs(realClock.now(), clock.now());
  expect(aheadMs()).toBeLessThan(NEAR_MS);
  void test.time.advance(1000);
  await expect.poll(() => waiting).toHaveLength(1);
  tell(waiting.pop() as ServerResponse, HOUR_MS);
  await expect.poll(() => aheadMs()).toBeGreaterThan(HOUR_MS - NEAR_MS);
  stop();
  exchange.closeAllConnections();
  exchange.close();
});
