import { expect, test } from 'vitest';
import { chosenBy } from './by-commit.ts';

test('a commit has the same cases each time, others than its neighbour, and all cases are reached', () => {
  const all = Array.from({ length: 200 }, (_, index) => index + 1);
  const chosen = chosenBy('a1', all, 18, String);
  expect(chosen).toHaveLength(18);
  expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
  expect(chosenBy('a1', all, 18, String)).toEqual(chosen);
  expect(chosenBy('a2', all, 18, String)).not.toEqual(chosen);

  const ofMany = new Set(Array.from({ length: 100 }, (_, commit) => chosenBy(`${commit}`, all, 18, String)).flat());
  expect([...ofMany].sort((a, b) => a - b)).toEqual(all);
});
