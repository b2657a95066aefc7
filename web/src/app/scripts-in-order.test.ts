import { expect, test } from 'vitest';
import { circleOf } from '../../scripts-in-order-plugin.ts';

const imports = (all: Record<string, string[]>) => new Map(Object.entries(all));

test('a circle of scripts is found and named, however long it is; what several import is none', () => {
  expect(circleOf(imports({ index: ['desk', 'shell'], desk: ['react'], shell: ['desk', 'react'], react: [] }))).toBe(
    null,
  );
  expect(circleOf(imports({ index: ['shell'], shell: ['desk'], desk: ['react', 'shell'] }))).toEqual([
    'shell',
    'desk',
    'shell',
  ]);
  expect(circleOf(imports({ a: ['b'], b: ['c'], c: ['d'], d: ['b'] }))).toEqual(['b', 'c', 'd', 'b']);
  expect(circleOf(imports({ a: ['a'] }))).toEqual(['a', 'a']);
});
