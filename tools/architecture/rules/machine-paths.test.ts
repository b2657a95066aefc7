import { expect, test } from 'vitest';
import { placesFound } from '../repository.fixture.ts';
import { machinePaths } from './machine-paths.ts';

const own = (folder: string) => ['', folder, 'developer', 'notes.md'].join('/');

test.each([own('home'), own('Users'), `"file://${own('root')}"`, ['C:', 'Users', 'x'].join('\\')])(
  'refuses %s',
  (path) => {
    expect(placesFound(machinePaths, { 'README.md': `first\nsee ${path}` })).toEqual(['README.md:2']);
  },
);

test('refuses the address of a registry in the lock file', () => {
  const line = ['"resolved":', '"https://registry.example/a.tgz"'].join(' ');
  expect(placesFound(machinePaths, { 'package-lock.json': line })).toEqual(['package-lock.json:1']);
});

test('accepts addresses of the product', () => {
  const text = 'GET /users/me, /api/v1/work/1, https://example.com/home/page';
  expect(placesFound(machinePaths, { 'README.md': text })).toEqual([]);
});
