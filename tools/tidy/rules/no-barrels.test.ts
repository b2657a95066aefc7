import { expect, test } from 'vitest';
import { placesFound } from '../house.fixture.ts';
import { noBarrels } from './no-barrels.ts';

test.each(["export * from './a.ts';", "export { a } from './a.ts';", "import { a } from './a.ts';\nexport { a };"])(
  'refuses %s',
  (text) => {
    expect(placesFound(noBarrels, { 'engine/src/index.ts': text })).toHaveLength(1);
  },
);

test('accepts a file that exports what it declares', () => {
  const text = "import { a } from './a.ts';\nconst b = a + 1;\nexport { b };";
  expect(placesFound(noBarrels, { 'engine/src/index.ts': text })).toEqual([]);
});
