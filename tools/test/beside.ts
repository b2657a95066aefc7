import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot, say } from '../repository.ts';
import { spawnCollecting } from './command.ts';
import { oneFailed, type Tally } from './tally.ts';

/** Names the file in which a process that runs stages for another leaves their tallies. */
const TALLIES_FILE = 'TALLIES_FILE';

/** Whether this process runs its stages for another, which counts them. */
export const runsBesideAnother = process.env[TALLIES_FILE] !== undefined;

/** Begins stages in a process of their own; what is answered waits for its end, prints what it said, and counts each. */
export function beginBeside(stages: readonly string[]): () => Promise<Tally[]> {
  const folder = mkdtempSync(join(tmpdir(), 'dutchbook-beside-'));
  const file = join(folder, 'tallies.json');
  const ended = spawnCollecting([join(repositoryRoot, 'tools/test.ts'), ...stages], { [TALLIES_FILE]: file });
  return async () => {
    say((await ended).said);
    const tallies =
      readTallies(file) ?? stages.map((name) => oneFailed(`${name}: its process ended before it was counted`));
    rmSync(folder, { recursive: true, force: true });
    return tallies;
  };
}

export function leaveTallies(tallies: readonly Tally[]): void {
  writeFileSync(process.env[TALLIES_FILE] ?? '', JSON.stringify(tallies));
}

function readTallies(file: string): Tally[] | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
