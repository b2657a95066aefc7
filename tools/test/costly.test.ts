import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../repository.ts';
import { leftOut } from './costly.ts';
import { COSTS } from './costs.ts';

const COMMITS = Array.from({ length: 200 }, (_, commit) => `${commit}`);

test('a commit runs what fits into the budget of each group, the same files each time, and every file is some commit’s', () => {
  for (const { budgetSeconds, secondsByFile } of COSTS) {
    const files = Object.keys(secondsByFile);
    const runAt = (commit: string) => {
      const left = new Set(leftOut(commit, [{ budgetSeconds, secondsByFile }]));
      return files.filter((file) => !left.has(file));
    };
    expect(runAt('a1')).toEqual(runAt('a1'));
    const runs = COMMITS.map(runAt);
    const costOf = (run: readonly string[]) => run.reduce((sum, file) => sum + (secondsByFile[file] ?? 0), 0);
    expect(Math.max(...runs.map(costOf))).toBeLessThanOrEqual(budgetSeconds);
    expect(new Set(runs.flat())).toEqual(new Set(files));
  }
});

test('its files are there, each in one group', () => {
  const files = COSTS.flatMap(({ secondsByFile }) => Object.keys(secondsByFile));
  expect(files.filter((file) => !existsSync(join(repositoryRoot, file)))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});
