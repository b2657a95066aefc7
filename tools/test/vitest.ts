import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '../repository.ts';
import { runMeanwhile } from './command.ts';
import { countFailedRun, NOTHING, type Tally } from './tally.ts';

const TALLY_REPORTER = fileURLToPath(new URL('./vitest-reporter.ts', import.meta.url));

/** Runs the Vitest projects that are named (`!name` for all but that) with options of its command line, and counts their tests. */
export async function runVitest(
  projects: readonly string[],
  options: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Tally> {
  const directory = mkdtempSync(join(tmpdir(), 'dutchbook-vitest-'));
  const tallyFile = join(directory, 'tally.json');
  const reporters = ['--reporter=default', `--reporter=${TALLY_REPORTER}`];
  const chosen = projects.map((project) => `--project=${project}`);
  const succeeded = await runMeanwhile(
    process.execPath,
    [
      join(repositoryRoot, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...chosen,
      '--passWithNoTests',
      ...reporters,
      ...options,
    ],
    { ...env, TALLY_FILE: tallyFile },
  );
  const counted = readTally(tallyFile);
  rmSync(directory, { recursive: true, force: true });
  return countFailedRun(counted, succeeded, 'Vitest');
}

function readTally(file: string): Tally {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return NOTHING;
  }
}
