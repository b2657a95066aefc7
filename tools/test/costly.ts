import { createHash } from 'node:crypto';
import { COSTS } from './costs.ts';

/**
 * Test files that cost two processor seconds and more, in groups that run in one stage. The commit's hash puts the files of a
 * group in an order, and `npm test` runs them in it as long as they fit into the budget of the group; `npm run test:all` runs
 * them all. Files that are not named here always run.
 */
export interface CostlyGroup {
  /** Processor seconds that all chosen files of the group may take together. */
  readonly budgetSeconds: number;
  /** Processor seconds of each file, as measured. */
  readonly secondsByFile: Readonly<Record<string, number>>;
}

/** The costly files that do not run at this commit. */
export function leftOut(commit: string, groups: readonly CostlyGroup[] = COSTS): string[] {
  return groups.flatMap((group) => leftOutOf(group, commit));
}

/** Processor seconds of a file, given by its path from the repository; 0 of one that is not costly. */
export function secondsOf(file: string): number {
  return COSTS.find(({ secondsByFile }) => file in secondsByFile)?.secondsByFile[file] ?? 0;
}

function leftOutOf({ budgetSeconds, secondsByFile }: CostlyGroup, commit: string): string[] {
  let left = budgetSeconds;
  return inOrderOf(commit, Object.entries(secondsByFile)).flatMap(([file, seconds]) => {
    if (seconds > left) return [file];
    left -= seconds;
    return [];
  });
}

function inOrderOf<Value>(commit: string, files: readonly [string, Value][]): (readonly [string, Value])[] {
  return files
    .map((entry) => ({ entry, rank: createHash('sha256').update(`${commit} ${entry[0]}`).digest('hex') }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ entry }) => entry);
}
