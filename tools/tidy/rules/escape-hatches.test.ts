import { expect, test } from 'vitest';
import { placesFound } from '../house.fixture.ts';
import { escapeHatches } from './escape-hatches.ts';

test.each([
  'export const a: any = 1;',
  'export const a = 1 as any;',
  'export type A = Record<string, any>;',
  '// @ts-expect-error: because',
  '/* biome-ignore lint: because */',
])('refuses %s', (text) => {
  expect(placesFound(escapeHatches, { 'server/src/a.ts': text })).toEqual(['server/src/a.ts:1']);
});

test('does not mind the word any where it is not a type', () => {
  expect(placesFound(escapeHatches, { 'server/src/a.ts': "// any of them\nexport const any = 'any';" })).toEqual([]);
});
