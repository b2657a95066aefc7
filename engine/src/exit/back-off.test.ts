import { instantFromMs } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import { triedAgainAt } from './back-off.ts';

it('tries what has failed again after one minute, two, four and so on, and no later than an hour', () => {
  const minutes = [1, 2, 3, 6, 7, 400].map((times) => triedAgainAt({ times, lastAt: instantFromMs(0) }) / 60_000);
  expect(minutes).toEqual([1, 2, 4, 32, 60, 60]);
});
