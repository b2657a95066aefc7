import { expect, test } from 'vitest';
import { differenceOf } from './compare-desks.fixture.ts';
import { differenceOf as relationDifferenceOf } from './compare-relations.fixture.ts';

test.each([
  { seeds: 5000, of: 'opportunities', differenceIn: differenceOf },
  { seeds: 500, of: 'relations', differenceIn: relationDifferenceOf },
])('$seeds random runs of $of are decided as by a desk that works everything out anew', ({ seeds, differenceIn }) => {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const difference = differenceIn(seed);
    if (difference !== null) expect.unreachable(difference);
  }
});
