import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../repository.ts';
import { leftOut, ONE_OF } from './one-of.ts';

test('a commit runs one file of each row, the same each time, and every file is some commit’s', () => {
  const files = ONE_OF.flat();
  const runAt = (commit: string) => files.filter((file) => !leftOut(commit).includes(file));
  expect(runAt('a1')).toEqual(runAt('a1'));
  const commits = Array.from({ length: 60 }, (_, commit) => runAt(`${commit}`));
  for (const run of commits)
    expect(ONE_OF.map((row) => row.filter((file) => run.includes(file)).length)).toEqual(ONE_OF.map(() => 1));
  expect(new Set(commits.flat())).toEqual(new Set(files));
});

test('its files are there', () => {
  expect(ONE_OF.flat().filter((file) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
});
