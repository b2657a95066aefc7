import { expect, test } from 'vitest';
import { countFailedRun, format, oneTest, sum } from './tally.ts';

test('adds stages up to the line that ends a run', () => {
  expect(format(sum([oneTest(true), oneTest(false), { passed: 40, failed: 2 }]))).toBe('41 passed, 3 failed');
});

test('never calls a failed run clean', () => {
  expect(countFailedRun({ passed: 5, failed: 0 }, false)).toEqual({ passed: 5, failed: 1 });
  expect(countFailedRun({ passed: 5, failed: 2 }, false)).toEqual({ passed: 5, failed: 2 });
  expect(countFailedRun({ passed: 5, failed: 0 }, true)).toEqual({ passed: 5, failed: 0 });
});
