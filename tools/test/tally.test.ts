import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../repository.ts';
import { nameFailure, withDifference } from './failure.ts';
import { countFailedRun, format, ONE_PASSED, oneFailed, sum } from './tally.ts';

test('adds stages up to the line that ends a run', () => {
  const stage = { passed: 40, failures: ['a', 'b'] };
  expect(format(sum([ONE_PASSED, oneFailed('types'), stage]))).toBe('41 passed, 3 failed');
  expect(sum([ONE_PASSED, oneFailed('types'), stage]).failures).toEqual(['types', 'a', 'b']);
});

test('never calls a failed run clean', () => {
  const clean = { passed: 5, failures: [] };
  expect(countFailedRun(clean, false, 'Vitest').failures).toHaveLength(1);
  expect(countFailedRun({ passed: 5, failures: ['a'] }, false, 'Vitest').failures).toEqual(['a']);
  expect(countFailedRun(clean, true, 'Vitest')).toEqual(clean);
});

test('names a failed test by its file in the repository and the first line of its error', () => {
  const error = '\n\u001b[31mAssertionError: expected 1 to be 2\u001b[39m\n    at somewhere';
  expect(nameFailure(join(repositoryRoot, 'units', 'a.test.ts'), 'adds', error)).toBe(
    `${join('units', 'a.test.ts')} > adds: AssertionError: expected 1 to be 2`,
  );
  expect(nameFailure('a.spec.ts', '', undefined)).toBe('a.spec.ts: no error was given');
});

test('says in one line how what was found differs from what was expected', () => {
  const diff = '\u001b[32m- Expected\u001b[39m\n+ Received\n\n  [\n-   "a",\n+   "b",\n  ]';
  expect(withDifference({ message: 'AssertionError: expected [ Array(1) ] to be\n at', diff })).toBe(
    'AssertionError: expected [ Array(1) ] to be - "a", + "b",',
  );
  expect(withDifference({ message: 'TypeError: no\n at' })).toBe('TypeError: no');
});
