import { expect, test } from 'vitest';
import { repositoryOf } from '../read-repository.ts';
import { coverageTable } from './coverage-table.ts';

const SPEC = 'e2e/browser/items.spec.ts';
const SHOWN = `\`${SPEC}\` “lists five”`;
const SHOWN_LATER = `\`${SPEC}\` “pages through”`;

const SOURCE = "test('lists five', { tag: '@journey' }, () => {});\ntest('pages through', () => {});";

/** What is found in a document of one section with these rows. */
function reasonsFor(...rows: string[]): string[] {
  const document = ['# Coverage', '## Items', '| sentence | shown by |', '|---|---|', ...rows].join('\n');
  const files = { [SPEC]: SOURCE, 'docs/coverage.md': document };
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

test('accepts the beginning of a title, which only one test of the file may have', () => {
  expect(reasonsFor(`| Five a page | \`${SPEC}\` “lists…” |`)).toEqual([]);
  expect(reasonsFor(`| Pages | \`${SPEC}\` “pages…” (\`test:all\`) |`)).toEqual([]);
  expect(reasonsFor(`| Five a page | \`${SPEC}\` “…” |`)).toEqual([`“Five a page” names “…”, which is not in ${SPEC}`]);
});

test('wants a row to say when only `npm run test:all` shows its sentence', () => {
  expect(reasonsFor(`| Pages | ${SHOWN_LATER} (\`test:all\`) |`, `| A menu | ${SHOWN_LATER}<br>${SHOWN} |`)).toEqual(
    [],
  );
  expect(reasonsFor(`| Pages | ${SHOWN_LATER} |`)).toEqual(['“Pages” is not shown by `npm test`']);
  expect(reasonsFor(`| A menu | ${SHOWN} (\`test:all\`) |`)).toEqual(['“A menu” is shown by `npm test`']);
});

test('wants the document, and rows in each of its sections', () => {
  expect(reasonsFor()).toEqual(['“Items” has no row']);
  expect(coverageTable.find(repositoryOf(new Map()))).toHaveLength(1);
});
