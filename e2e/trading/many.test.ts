/**
 * Many processes on one PostgreSQL, killed, stopped and cut off at random. `npm run test:many -- 10` does it for ten
 * minutes with seven processes; as a part of `npm test` it is short.
 */
import { ARM_CONFIRMATION, armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../product/eventually.ts';
import {
  armedEverywhere,
  buyByHand,
  expectAllAccountedFor,
  type ManyDesk,
  moveSet,
  openManyDesk,
  priceShownLive,
} from './many-desk.fixture.ts';
import { replaceOneByOne, triggersOf } from './many-replacing.fixture.ts';
import { makeTrouble } from './many-trouble.fixture.ts';

const MINUTES = Number(process.env.MANY_MINUTES ?? 0);
const SEED = Number(process.env.MANY_SEED ?? 1);
const IS_LONG = MINUTES > 0;
/** `npm run test:upgrade` names the server of an older build here. */
const OLDER_PROGRAM = process.env.MANY_OLDER_PROGRAM;
const SHORT_MS = process.env.TEST_ALL === undefined ? 5_000 : 10_000;

const ROLES = IS_LONG
  ? ['jobs', 'jobs', 'engine', 'engine', 'engine', 'api', 'api']
  : OLDER_PROGRAM
    ? ['jobs', 'engine', 'engine', 'api', 'api']
    : ['engine', 'engine,api', 'api,jobs'];

const say = (line: string) => {
  if (IS_LONG || OLDER_PROGRAM) process.stdout.write(`${new Date().toISOString()} ${line}\n`);
};

let desk: ManyDesk;

beforeAll(async () => {
  desk = await openManyDesk({ roles: ROLES, program: OLDER_PROGRAM }, IS_LONG ? 5 : 2, SEED);
  if (IS_LONG) desk.longestAwayMs = 30_000;
});
afterAll(() => desk?.close());

test('the engines share the opportunities evenly', async () => {
  const engines = ROLES.filter((roles) => roles.includes('engine')).length;
  const counts = await eventually('shares are even', async () => {
    const rows = await desk.query<{ count: number }>(
      'select count(*)::int as count from engine_partitions where owner is not null group by owner order by 1',
    );
    const [least = 0, most = 0] = [rows[0]?.count, rows.at(-1)?.count];
    return rows.length === engines && most - least <= 1 ? rows : null;
  });
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(64);
});

test('the kill switch, pressed at any process, holds in every one of them', async () => {
  const { call } = await desk.caller();
  for (const [press, body, isArmed] of [
    [disarmTrading, {}, false],
    [armTrading, { confirmation: ARM_CONFIRMATION }, true],
  ] as const) {
    expect((await call(press, { body })).status).toBe(200);
    await eventually('every process received it', async () =>
      (await armedEverywhere(desk)).every((armed) => armed === isArmed) ? true : null,
    );
  }
});

test('a tab at a process that follows no prices is shown what the engines find out', async () => {
  for (const set of desk.sets) expect(await priceShownLive(desk, set)).toBeCloseTo(1.11, 6);
});

test('processes are replaced one by one, by those of a newer build too, and no call fails', async () => {
  const isThorough = IS_LONG || OLDER_PROGRAM !== undefined;
  const replaced = isThorough ? desk.processes : desk.processes.slice(1);
  await replaceOneByOne(desk, { replaced, olderProgram: OLDER_PROGRAM, triggersBetween: isThorough ? 2 : 0 }, say);
  // Otherwise the test below accounts for this one as well.
  if (OLDER_PROGRAM) await expectAllAccountedFor(desk);
});

test(
  'whatever dies, stops or is cut off: nothing is lost or doubled, and every trigger is handled once',
  async () => {
    const end = Date.now() + (IS_LONG ? MINUTES * 60_000 : SHORT_MS);
    const isOver = () => Date.now() > end;
    const busy = Promise.all([...desk.sets.map((set) => moveSet(desk, set, isOver)), buyByHand(desk, isOver)]);
    const half = Date.now() + (end - Date.now()) / 2;
    await makeTrouble(desk, () => Date.now() > half, say);
    say('the database fails over to its standby');
    await desk.database.failOver();
    await makeTrouble(desk, isOver, say);
    await busy;
    await expectAllAccountedFor(desk);
    say(`${triggersOf(desk)} triggers, ${desk.placed.size} by hand`);
  },
  600_000 + MINUTES * 60_000,
);
