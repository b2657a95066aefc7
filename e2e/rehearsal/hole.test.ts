/** R7: of a hole in what was recorded a rehearsal says that nothing is known, counts nothing in its place, and goes on behind it. */
import { expect, it } from 'vitest';
import { moveBooks, openMovingDesk, seeded } from './moving-desk.fixture.ts';

const OPPORTUNITIES = 4;
const MOVES = process.env.TEST_ALL === undefined ? 80 : 200;

it('says that nothing is known of when nothing was recorded, though there was much to decide then', async () => {
  await using desk = await openMovingDesk(OPPORTUNITIES);
  await desk.change({ ORDER_SIMULATION_ENABLED: true, USE_CUMULATIVE_PRICING: false });
  const random = seeded(7);
  await moveBooks(desk, MOVES, random);
  const before = Date.now();
  await desk.restart({ RECORDING: 'off' });
  await moveBooks(desk, MOVES, random);
  const after = Date.now();
  await desk.restart();
  await moveBooks(desk, MOVES, random);

  const { result, differences, present } = await desk.rehearse({ settings: { MIN_PROFIT_TRIGGER_THRESHOLD: 0.1 } });
  const decided = await desk.decided();
  expect(result.unknown).toHaveLength(1);
  const [hole] = result.unknown;
  expect(hole?.reason).toBe('not running');
  // The last move, some seconds before the process ended, was recorded.
  expect(hole?.from).toBeGreaterThan(before - 10_000);
  expect(hole?.from).toBeLessThan(before + 2000);
  expect(hole?.until).toBeGreaterThan(after);
  const isInHole = (at: number) => hole !== undefined && at > hole.from && at <= hole.until;
  expect(differences.flatMap(({ moments }) => moments.filter(({ at }) => isInHole(at)))).toEqual([]);
  // What came up or was decided within the hole was decided by books that are not known.
  const known = decided.filter(({ at, data }) => !isInHole(at) && !isInHole(data?.seenAt ?? at));
  expect(known.filter(({ at }) => at <= before).length).toBeGreaterThan(3);
  expect(known.filter(({ at }) => at > after).length).toBeGreaterThan(3);
  expect(present).toEqual(known.map(({ data }) => data?.line));
});
