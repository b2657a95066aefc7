import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { expect, it } from 'vitest';
import { takeUpKeptStops } from './kept-stops.ts';
import { auditLog } from './platform/audit/table.ts';
import { DatabaseDown } from './platform/database/database-down.ts';
import { openStops } from './platform/http/stops.ts';
import { openKeptStops } from './platform/runtime/kept-stops.ts';
import { openTestRuntime, type TestRuntime } from './test-runtime.ts';
import { arm, disarm } from './trading/trading-controls/arming.ts';
import { openTradingControls } from './trading/trading-controls/controls.ts';

const BY = { actor: { id: null, email: 'ada@example.com', address: '127.0.0.1' }, user: { id: null } };

/** Another process on the same database and folder, while `isAway` without the database where stops are stored. */
async function nextProcess({ runtime, time }: TestRuntime, isAway = false, alsoAt: readonly VenueName[] = []) {
  const { db, dbFor, config, random, log } = runtime;
  const away = () => Promise.reject(new DatabaseDown('it is away'));
  const silent = new Proxy(db, { get: (to, name) => (name === 'transaction' ? away : Reflect.get(to, name)) });
  const stops = openStops({ timers: time.timers, log }, openKeptStops(config.dataDir, random));
  const own = { ...runtime, stops, dbFor: { ...dbFor, stops: isAway ? silent : db } };
  const controls = await openTradingControls(own, 'polymarket');
  const others = await Promise.all(alsoAt.map((venue) => openTradingControls(own, venue)));
  await takeUpKeptStops(own, [controls, ...others]);
  return { runtime: own, controls, others };
}

const filesOf = ({ runtime }: TestRuntime) => {
  const folder = path.join(runtime.config.dataDir, 'held-stops');
  return readdirSync(folder).map((name) => path.join(folder, name));
};

it('a disarming that could not be stored halts the next process, until one can store it', async () => {
  await using test = await openTestRuntime();
  const asked = await nextProcess(test, true);
  expect(await disarm(asked.runtime, [asked.controls], BY)).toEqual({ kind: 'held', isKept: true });
  expect(await disarm(asked.runtime, [asked.controls], BY)).toEqual({ kind: 'held', isKept: true });
  const files = filesOf(test);
  expect(files).toHaveLength(1);
  expect(JSON.parse(readFileSync(files[0] ?? '', 'utf8'))).toEqual({
    ...{ action: 'trading.disarmed', subject: 'trading on simulated', askedAtMs: test.runtime.clock.now() },
    actor: BY.actor,
  });
  const { controls } = await nextProcess(test, true);
  expect(controls.current().armed).toBe(false);
  expect((await openTradingControls(test.runtime, 'polymarket')).current().armed).toBe(true);
  expect((await nextProcess(test)).controls.current().armed).toBe(false);
  expect((await openTradingControls(test.runtime, 'polymarket')).current().armed).toBe(false);
  expect(filesOf(test)).toEqual([]);
  const [entry] = await test.runtime.db.select().from(auditLog);
  expect(entry).toMatchObject({ action: 'trading.disarmed', actor: BY.actor.email, address: BY.actor.address });
});

it('a disarming that was kept does not overrule a later arming', async () => {
  await using test = await openTestRuntime();
  const asked = await nextProcess(test, true);
  await disarm(asked.runtime, [asked.controls], BY);
  const other = await openTradingControls(test.runtime, 'polymarket');
  await disarm(test.runtime, [other], BY);
  await test.time.advance(1);
  await arm(test.runtime, other, BY);
  expect((await nextProcess(test)).controls.current().armed).toBe(true);
  expect(filesOf(test)).toEqual([]);
});

it('a disarming of one venue halts that one alone in the next process, and is stored where it is not configured any more', async () => {
  await using test = await openTestRuntime();
  const asked = await nextProcess(test, true, ['kalshi']);
  for (const controls of asked.others) await disarm(asked.runtime, [controls], BY);
  const armedIn = (process: Awaited<ReturnType<typeof nextProcess>>) =>
    [process.controls, ...process.others].map((controls) => controls.current().armed);
  expect(armedIn(await nextProcess(test, true, ['kalshi']))).toEqual([true, false]);
  expect(armedIn(await nextProcess(test))).toEqual([true]);
  const stored = await openTradingControls(test.runtime, 'kalshi');
  expect([filesOf(test), stored.current().armed]).toEqual([[], false]);
});

it('a kept stop that cannot be read ends the start, with its file in the message', async () => {
  await using test = await openTestRuntime();
  const asked = await nextProcess(test, true);
  await disarm(asked.runtime, [asked.controls], BY);
  const [file = ''] = filesOf(test);
  writeFileSync(file, '{"action":"trading.disarmed"');
  await expect(nextProcess(test)).rejects.toThrow(`${file} keeps a stop that was asked for, and cannot be read`);
});

it('a stop that cannot be written holds all the same, and says that it does not outlast the process', async () => {
  await using test = await openTestRuntime();
  writeFileSync(path.join(test.runtime.config.dataDir, 'held-stops'), '');
  const { timers } = test.time;
  const stops = openStops(
    { timers, log: test.runtime.log },
    openKeptStops(test.runtime.config.dataDir, test.runtime.random),
  );
  const stop = {
    action: 'batch.canceled',
    subject: 'batch 1',
    askedAt: test.runtime.clock.now(),
    actor: BY.actor,
  } as const;
  const store = () => Promise.reject(new DatabaseDown('it is away'));
  expect(await stops.carryOut({ ...stop, store })).toEqual({ kind: 'held', isKept: false });
  expect(stops.holds('batch 1')).toBe(true);
});
