import { instantFromMs } from '@dutchbook/units/instant.ts';
import { expect, test } from 'vitest';
import { openLastingCounts } from './lasting-counts.ts';

function openCounts() {
  const world = { now: 0, rows: 0, counted: 0 };
  const counts = openLastingCounts({ now: () => instantFromMs(world.now) });
  const count = async () => {
    world.counted += 1;
    if (world.rows < 0) throw new Error('the database is away');
    return { rows: world.rows };
  };
  return { world, ask: async (key = 'all') => (await counts(key, count)).rows };
}

test('a small list is counted whenever it is asked for, a large one every few seconds, however many ask', async () => {
  const { world, ask } = openCounts();
  world.rows = 999;
  expect([await ask(), await ask(), world.counted]).toEqual([999, 999, 2]);
  world.rows = 1000;
  expect(await ask()).toBe(1000);
  world.rows = 2000;
  expect([await ask(), await ask('others')]).toEqual([1000, 2000]);
  world.now = 5000;
  expect([...(await Promise.all([ask(), ask()])), world.counted]).toEqual([2000, 2000, 5]);
  world.now = 10_000;
  world.rows = 3;
  expect(await ask()).toBe(3);
  world.rows = 4;
  expect(await ask()).toBe(4);
});

test('a count that failed is no count', async () => {
  const { world, ask } = openCounts();
  world.rows = 5000;
  await ask();
  [world.now, world.rows] = [6000, -1];
  await expect(ask()).rejects.toThrow('away');
  world.rows = 6000;
  expect(await ask()).toBe(6000);
});
