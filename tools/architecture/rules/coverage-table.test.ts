import { expect, test } from 'vitest';
import { repositoryOf } from '../read-repository.ts';
import { coverageTable } from './coverage-table.ts';

const SPEC = 'e2e/browser/items.spec.ts';
const SHOWN = `\`${SPEC}\` “lists five”`;

/** What is found in a document of one section with these rows. */
function reasonsFor(...rows: string[]): string[] {
  const document = ['# Coverage', '## Items', '| sentence | shown by |', '|---|---|', ...rows].join('\n');
  const files = { [SPEC]: "test('lists five', () => {});", 'docs/coverage.md': document };
  return coverageTable.find(repositoryOf(new Map(Object.entries(files)))).map(({ reason }) => reason);
}

test('accepts rows whose tests are there', () => {
  expect(reasonsFor(`| Five a page | ${SHOWN} |`, `| A menu | ${SHOWN}<br>${SHOWN} |`)).toEqual([]);
});

test('refuses a sentence without a test, one whose test is nowhere, and one that stands twice', () => {
  expect(reasonsFor('| Five a page | |')).toEqual(['“Five a page” names no test']);
  expect(reasonsFor(`| Five a page | \`${SPEC}\` “lists” |`)).toEqual([
    `“Five a page” names “lists”, which is not in ${SPEC}`,
  ]);
  expect(reasonsFor(`| A menu | ${SHOWN} |`, `| A menu | ${SHOWN} |`)).toEqual(['“A menu” stands twice']);
  expect(reasonsFor(`| A menu | with | ${SHOWN} |`)).toEqual(['a row is a sentence and what shows it']);
});

test('wants the document, and rows in each of its sections', () => {
  expect(reasonsFor()).toEqual(['“Items” has no row']);
  expect(coverageTable.find(repositoryOf(new Map()))).toHaveLength(1);
});
