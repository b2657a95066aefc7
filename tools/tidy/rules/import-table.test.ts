import { expect, test } from 'vitest';
import { placesFound } from '../house.fixture.ts';
import { importTable } from './import-table.ts';

test('lets a workspace import what the table gives it, by package name', () => {
  const files = {
    'units/src/price.ts': 'export const price = 1;',
    'engine/src/book.ts': "import { price } from '@dutchbook/units/price.ts';\nimport { level } from './level.ts';",
    'engine/src/level.ts': 'export const level = 1;',
  };
  expect(placesFound(importTable, files)).toEqual([]);
});

test.each([
  ['static import', "import { book } from '@dutchbook/engine/book.ts';"],
  ['type import', "import type { Book } from '@dutchbook/engine/book.ts';"],
  ['dynamic import', "export const load = () => import('@dutchbook/engine/book.ts');"],
  ['import type expression', "export type Book = import('@dutchbook/engine/book.ts').Book;"],
  ['re-export', "export { book } from '@dutchbook/engine/book.ts';"],
])('refuses a forbidden %s', (_, text) => {
  expect(placesFound(importTable, { 'units/src/price.ts': text })).toEqual(['units/src/price.ts:1']);
});

test('refuses a relative path into another workspace, even one it may import', () => {
  const files = {
    'units/src/price.ts': 'export const price = 1;',
    'engine/src/book.ts': "import { price } from '../../units/src/price.ts';",
  };
  expect(placesFound(importTable, files)).toEqual(['engine/src/book.ts:1']);
});

test('lets e2e import anything, and nobody e2e', () => {
  const files = {
    'e2e/simulation/place.test.ts': "import { exchange } from '@dutchbook/exchange/floor.ts';",
    'server/src/main.ts': "import { world } from '@dutchbook/e2e/world.ts';",
  };
  expect(placesFound(importTable, files)).toEqual(['server/src/main.ts:1']);
});
