import { expect, test } from 'vitest';
import { placesFound } from '../repository.fixture.ts';
import { folderNames } from './folder-names.ts';

test('refuses a folder whose name says nothing, once, at any depth', () => {
  const files = { 'web/src/utils/a.ts': '', 'web/src/utils/b.ts': '', 'server/src/trading/batches/lib/c/d.ts': '' };
  expect(placesFound(folderNames, files)).toEqual(['web/src/utils:1', 'server/src/trading/batches/lib:1']);
});

test('does not mind such a word in a file name or inside a longer one', () => {
  expect(placesFound(folderNames, { 'server/src/core.ts': '', 'server/src/libraries/a.ts': '' })).toEqual([]);
});
