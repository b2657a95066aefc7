import { expect, it } from 'vitest';
import { relationOf } from './relation.fixture.ts';
import { isReverse } from './reverse.ts';

const ordered = (roles: string, marketIds: readonly string[], key = 'human:1') => ({
  key,
  members: relationOf('buckets', roles).members.map((member, place) => ({
    ...member,
    marketId: marketIds[place] ?? '',
  })),
});

it('is a relation that has two thresholds the other way round, whatever else it has', () => {
  const ladder = ordered('ttt', ['a', 'b', 'c']);
  expect(isReverse(ladder, ordered('tt', ['b', 'a']))).toBe(true);
  expect(isReverse(ladder, ordered('tttt', ['x', 'c', 'y', 'a']))).toBe(true);
  expect(isReverse(ladder, ordered('btbt', ['x', 'b', 'y', 'a']))).toBe(true);
});

it('is none that has them in one order, or at most one of them, or the same question the other way round', () => {
  const ladder = ordered('ttt', ['a', 'b', 'c']);
  expect(isReverse(ladder, ordered('tt', ['a', 'c']))).toBe(false);
  expect(isReverse(ladder, ordered('tt', ['x', 'a']))).toBe(false);
  expect(isReverse(ladder, ordered('bt', ['b', 'a']))).toBe(false);
  expect(isReverse(ordered('tt', ['a', 'b'], 'ladder:twin:a:b'), ordered('tt', ['b', 'a'], 'ladder:twin:b:a'))).toBe(
    false,
  );
});
