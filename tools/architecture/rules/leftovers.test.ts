import { expect, test } from 'vitest';
import { placesFound } from '../repository.fixture.ts';
import { leftovers } from './leftovers.ts';

test.each([
  '// TODO: later',
  '// const price = 1',
  '// place(order);',
  '// if (filled) {\n//   cancel();\n// }',
  '/* import { a } from "./a.ts" */',
  '// @ts-expect-error: because',
  '/* biome-ignore lint: because */',
])('refuses %s', (text) => {
  expect(placesFound(leftovers, { 'server/src/a.ts': `export const a = 1;\n${text}` })).toEqual(['server/src/a.ts:2']);
});

test.each([
  '// The venue answers duplicated; the identical bytes may be posted again.',
  '// cost = price * shares',
  '// See place() in trading.',
  '// return early',
  '// note: rounded up (see above)',
  '/** `const a = 1;` shows the shape. */',
])('accepts %s', (text) => {
  expect(placesFound(leftovers, { 'server/src/a.ts': text })).toEqual([]);
});
