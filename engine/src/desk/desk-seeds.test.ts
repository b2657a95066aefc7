import { expect, test } from 'vitest';
import { differenceOf } from './compare-desks.fixture.ts';

const SEEDS = 5000;

test(`${SEEDS} random runs are decided as by a desk that works everything out anew`, () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const difference = differenceOf(seed);
    if (difference !== null) expect.unreachable(difference);
  }
});
