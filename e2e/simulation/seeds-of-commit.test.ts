import { expect, test } from 'vitest';
import { seedsOfCommit } from './seeds.fixture.ts';

test('a commit has the same seeds each time, others than its neighbour, and all seeds are reached', () => {
  const chosen = seedsOfCommit('a1', 200, 48);
  expect(chosen).toHaveLength(48);
  expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
  expect(seedsOfCommit('a1', 200, 48)).toEqual(chosen);
  expect(seedsOfCommit('a2', 200, 48)).not.toEqual(chosen);

  const ofMany = new Set(Array.from({ length: 40 }, (_, commit) => seedsOfCommit(`${commit}`, 200, 48)).flat());
  expect([...ofMany].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
});
