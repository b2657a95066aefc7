import { expect, test } from 'vitest';
import { placesFound } from '../repository.fixture.ts';
import { pureFolders } from './pure-folders.ts';

test.each([
  'export const now = Date.now();',
  'export const now = new Date();',
  'export const now = Date();',
  'export const roll = Math.random();',
  'export const id = crypto.randomUUID();',
  'export const at = performance.now();',
  'setTimeout(() => undefined, 1);',
  'export const home = process.env.HOME;',
  'export const page = globalThis.document;',
  "import { readFileSync } from 'node:fs';",
  "import { readFileSync } from 'fs';",
])('refuses %s', (text) => {
  for (const path of ['units/src/a.ts', 'engine/src/a.ts', 'contract/src/a.ts', 'exchange/src/matching/a.ts']) {
    expect(placesFound(pureFolders, { [path]: text })).toEqual([`${path}:1`]);
  }
});

test.each([
  'export const at = new Date(0);',
  "export const at = Date.parse('2026-01-01');",
  'export const process = (order: { process: number }) => order.process;',
  'export const step = (performance: number) => performance + 1;',
  'export const status = { process: 1 };',
])('accepts %s', (text) => {
  expect(placesFound(pureFolders, { 'engine/src/a.ts': text })).toEqual([]);
});

test('leaves tests and the other folders alone', () => {
  const text = 'export const now = Date.now();';
  expect(placesFound(pureFolders, { 'engine/src/a.test.ts': text, 'exchange/src/clock.ts': text })).toEqual([]);
});
