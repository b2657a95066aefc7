import { expect, test } from 'vitest';
import { repositoryOf } from '../read-repository.ts';
import { attackTable } from './attack-table.ts';

const LOGIN = 'server/src/people/login/login.test.ts';
const FILES = {
  [LOGIN]: "it('refuses the sixth', () => {});",
  'e2e/browser/text.spec.ts': "test('runs no script', {\n  tag: '@journey',\n}, () => {});\ntest('is cut', () => {});",
};

/** What is found in a table in which S1 has this row, and all the others are as they should be. */
function reasonsFor(...rowsOfS1: string[]): string[] {
  const others = Array.from(
    { length: 29 },
    (_, index) => `| S${index + 2} | x | y | \`${LOGIN}\` “refuses the sixth” |`,
  );
  const files = { ...FILES, 'docs/security.md': [...rowsOfS1, ...others].join('\n') };
  return attackTable.find(repositoryOf(new Map(Object.entries(files)))).map(({ reason }) => reason);
}

test('accepts rows whose tests are there, and one that says it deviates', () => {
  expect(reasonsFor(`| S1 | a | b | \`${LOGIN}\` “refuses the sixth”<br>\`${LOGIN}\` “refuses the sixth” |`)).toEqual(
    [],
  );
  expect(reasonsFor('| S1 | a | Deviation: not built. | |')).toEqual([]);
});

test('refuses a row without a test, and tests that are nowhere', () => {
  expect(reasonsFor('| S1 | a | b | |')).toEqual(['S1 names no test']);
  expect(reasonsFor(`| S1 | a | b | \`${LOGIN}\` “refuses the seventh” |`)).toEqual([
    `S1 names “refuses the seventh”, which is not in ${LOGIN}`,
  ]);
  expect(reasonsFor(`| S1 | a | b | \`${LOGIN}\` “the sixth” |`), 'not the whole title').toHaveLength(1);
  expect(reasonsFor('| S1 | a | b | `server/src/gone.test.ts` “refuses” |')).toHaveLength(1);
});

test('wants a test that every change runs', () => {
  const spec = 'e2e/browser/text.spec.ts';
  const shownBy = (title: string) => `| S1 | a | b | \`${spec}\` “${title}” |`;
  expect(reasonsFor(shownBy('runs no script'))).toEqual([]);
  expect(reasonsFor(shownBy('is cut'))).toEqual(['S1 is not shown by `npm test`']);
});

test('wants one row for each attack', () => {
  expect(reasonsFor()).toEqual(['S1 has no row of its own']);
  const row = `| S1 | a | b | \`${LOGIN}\` “refuses the sixth” |`;
  expect(reasonsFor(row, row)).toEqual(['S1 has no row of its own']);
});
