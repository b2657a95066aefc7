import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildWhenOlder } from './when-older.ts';

let folder: string;
let builds: number;

const built = () => join(folder, 'built.js');

/** Makes a file or folder look changed so many seconds after the tests' beginning of time. */
const changed = (path: string, second: number) => utimesSync(path, 1_000_000 + second, 1_000_000 + second);

function write(path: string, second: number): void {
  writeFileSync(path, '');
  changed(path, second);
}

const buildIn = (sources: string) =>
  buildWhenOlder('the test', [built()], [sources], () => {
    builds += 1;
    writeFileSync(built(), '');
    return true;
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dutchbook-when-older-'));
  mkdirSync(join(folder, 'src'));
  write(join(folder, 'src', 'a.ts'), 1);
  write(join(folder, 'src', 'b.ts'), 1);
  changed(join(folder, 'src'), 1);
  builds = 0;
});

afterEach(() => rmSync(folder, { recursive: true }));

test('builds what is missing, and not again while no source changes', () => {
  expect(buildIn(join(folder, 'src'))).toBe(true);
  expect(buildIn(join(folder, 'src'))).toBe(true);
  expect(builds).toBe(1);
});

test.each([
  ['changed', () => changed(join(folder, 'src', 'a.ts'), 3)],
  ['deleted', () => rmSync(join(folder, 'src', 'b.ts'))],
])('builds again after a source is %s', (_, change) => {
  write(built(), 2);
  change();
  buildIn(join(folder, 'src'));
  expect(builds).toBe(1);
  expect(statSync(built()).mtimeMs).toBeGreaterThan(1_000_002_000);
});

test('says when a build has failed', () => {
  expect(buildWhenOlder('the test', [built()], [join(folder, 'src')], () => false)).toBe(false);
});
