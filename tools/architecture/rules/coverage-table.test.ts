import { expect, test } from 'vitest';
import { repositoryOf } from '../read-repository.ts';
import { coverageTable } from './coverage-table.ts';

const SPEC = 'e2e/browser/items.spec.ts';
const OTHER = 'web/src/routes/items.screen.test.tsx';

const SOURCES = {
  [SPEC]: "test('lists five', { tag: '@journey' }, () => {});\ntest('pages through', () => {});",
  [OTHER]: "test('is empty', () => {});",
};

/** What is found in a document of one section with these lines. */
function reasonsIn(...lines: string[]): string[] {
  const files = { ...SOURCES, 'docs/coverage.md': ['# Coverage', '## Items', ...lines].join('\n') };
  return coverageTable.find(repositoryOf(new Map(Object.entries(files)))).map(({ reason }) => reason);
}

/** What is found where these rows stand under the spec. */
function reasonsFor(...rows: string[]): string[] {
  return reasonsIn(`\`${SPEC}\``, '', ...rows);
}

test('accepts rows whose tests are in the file above them, or in one that they name', () => {
  expect(reasonsFor('- Five a page: “lists five”', '- `page`: or not: “lists five” “pages through”')).toEqual([]);
  expect(reasonsFor(`- None: \`${OTHER}\` “is empty”`, `- Few: “lists five” \`${OTHER}\` “is empty”`)).toEqual([]);
  expect(reasonsFor('- Five a page: “lists five”', '', `\`${OTHER}\``, '', '- None: “is empty”')).toEqual([]);
});

test('refuses a title that is in another file than the one above it or named before it', () => {
  expect(reasonsFor('- None: “is empty”')).toEqual([`“None” names “is empty”, which is not in ${SPEC}`]);
  expect(reasonsFor(`- Few: \`${OTHER}\` “is empty” “lists five”`)).toEqual([
    `“Few” names “lists five”, which is not in ${OTHER}`,
  ]);
  expect(reasonsIn('- Five a page: “lists five”')).toEqual(['“Five a page” names “lists five”, which is not in ']);
  expect(reasonsIn('`no.test.ts`', '- Five a page: “lists five”')).toEqual([
    '“Five a page” names “lists five”, which is not in no.test.ts',
  ]);
});

test('begins each section without a file', () => {
  expect(reasonsFor('- Five a page: “lists five”', '## More', '- Five a page: “lists five”')).toEqual([
    '“Five a page” names “lists five”, which is not in ',
  ]);
});

test('refuses a sentence without a test, one whose test is nowhere, and one that stands twice', () => {
  expect(reasonsFor('- Five a page:')).toEqual(['“Five a page” names no test']);
  expect(reasonsFor('- Five a page: “lists”')).toEqual([`“Five a page” names “lists”, which is not in ${SPEC}`]);
  expect(reasonsFor('- A menu: “lists five”', '- A menu: “lists five”')).toEqual(['“A menu” stands twice']);
});

test('refuses a line that is neither a file nor a row', () => {
  const reasons = ['a row is a sentence and its tests'];
  expect(reasonsFor('- Five a page “lists five”')).toEqual(reasons);
  expect(reasonsFor('- Five a page: “lists five”, too')).toEqual(reasons);
  expect(reasonsFor(`| Five a page | \`${SPEC}\` “lists five” |`)).toEqual(reasons);
});

test('accepts the beginning of a title, which only one test of the file may have', () => {
  expect(reasonsFor('- Five a page: “lists…”')).toEqual([]);
  expect(reasonsFor('- Pages: “pages…”*')).toEqual([]);
  expect(reasonsFor('- Five a page: “…”')).toEqual([`“Five a page” names “…”, which is not in ${SPEC}`]);
});

test('wants a row to say when only `npm run test:all` shows its sentence', () => {
  expect(reasonsFor('- Pages: “pages through”*', '- A menu: “pages through” “lists five”')).toEqual([]);
  expect(reasonsFor('- Pages: “pages through”')).toEqual(['“Pages” is not shown by `npm test`']);
  expect(reasonsFor('- A menu: “lists five”*')).toEqual(['“A menu” is shown by `npm test`']);
});

test('wants the document, and rows in each of its sections', () => {
  expect(reasonsFor()).toEqual(['“Items” has no row']);
  expect(coverageTable.find(repositoryOf(new Map()))).toHaveLength(1);
});
