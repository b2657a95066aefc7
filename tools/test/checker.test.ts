import { expect, test } from 'vitest';
import { beginChecker } from './checker.ts';
import { ONE_PASSED } from './tally.ts';

test('waits for a check that has begun, and names what it found', async () => {
  const [right, wrong] = [['--version'], ['--no-such-option']].map((options) =>
    beginChecker('types', 'typescript/bin/tsc', options),
  );
  expect((await wrong?.())?.failures).toEqual([expect.stringMatching(/^types: .*--no-such-option/)]);
  expect(await right?.()).toEqual(ONE_PASSED);
});
