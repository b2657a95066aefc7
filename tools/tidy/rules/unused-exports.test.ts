import { expect, test } from 'vitest';
import { placesFound } from '../house.fixture.ts';
import { unusedExports } from './unused-exports.ts';

test('accepts names used by another file, as a whole module, or by a test that is beside a pure file', () => {
  const files = {
    'server/src/main.ts': "import { a } from './a.ts';\nimport * as b from './b.ts';",
    'server/src/a.ts': 'export const a = 1;',
    'server/src/b.ts': 'export const b = 1;',
    'units/src/price.ts': 'export const inverse = 1;',
    'units/src/price.test.ts': "import { inverse } from './price.ts';",
  };
  expect(placesFound(unusedExports, files)).toEqual([]);
});

test('finds a name no other file uses, on its line', () => {
  const files = {
    'server/src/main.ts': "import { a } from './a.ts';",
    'server/src/a.ts': 'export const a = 1;\nexport function b() {}\nexport default 1;',
  };
  expect(placesFound(unusedExports, files)).toEqual(['server/src/a.ts:2', 'server/src/a.ts:3']);
});

test('takes a test as a user only of a name its own file uses too', () => {
  const files = {
    'server/src/main.ts': "import { sum } from './sum.ts';",
    'server/src/sum.ts': 'export const sum = () => half();\nexport const half = () => 1;\nexport const dead = () => 1;',
    'server/src/sum.test.ts': "import { dead, half } from './sum.ts';",
  };
  expect(placesFound(unusedExports, files)).toEqual(['server/src/sum.ts:3']);
});

test('lets a file export a type that its exports mention', () => {
  const files = {
    'server/src/main.ts': "import { quote } from './quote.ts';",
    'server/src/quote.ts': 'export interface Quote {}\nexport type Dead = 1;\nexport const quote = (): Quote => ({});',
  };
  expect(placesFound(unusedExports, files)).toEqual(['server/src/quote.ts:2']);
});
