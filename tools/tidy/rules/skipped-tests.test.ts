import { expect, test } from 'vitest';
import { placesFound } from '../house.fixture.ts';
import { skippedTests } from './skipped-tests.ts';

test.each(["test.skip('a', f);", "it.only('a', f);", "test.describe.skip('a', f);", "test.todo('a');", "xit('a', f);"])(
  'refuses %s',
  (text) => {
    expect(placesFound(skippedTests, { 'server/src/a.test.ts': text })).toEqual(['server/src/a.test.ts:1']);
  },
);

test('accepts a test that needs something the machine may lack', () => {
  expect(placesFound(skippedTests, { 'server/src/a.test.ts': "test.skipIf(!data)('a', f);" })).toEqual([]);
});
