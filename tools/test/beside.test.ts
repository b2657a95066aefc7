import { expect, test } from 'vitest';
import { beginBeside } from './beside.ts';

test('counts each stage as failed whose process ended before it counted any', async () => {
  expect(await beginBeside(['no-such-stage', 'nor-this'])()).toEqual([
    { passed: 0, failures: ['no-such-stage: its process ended before it was counted'] },
    { passed: 0, failures: ['nor-this: its process ended before it was counted'] },
  ]);
});
