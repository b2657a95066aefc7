import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInstalled } from './command.ts';
import { countFailedRun, NOTHING, type Tally } from './tally.ts';

const TALLY_REPORTER = fileURLToPath(new URL('./vitest-reporter.ts', import.meta.url));

/** Runs the Vitest projects that are named (`!name` for all but that) and counts their tests. */
export function runVitest(projects: readonly string[], env: NodeJS.ProcessEnv = {}): Tally {
  const directory = mkdtempSync(join(tmpdir(), 'dutchbook-vitest-'));
  const tallyFile = join(directory, 'tally.json');
  const reporters = ['--reporter=default', `--reporter=${TALLY_REPORTER}`];
  const succeeded = runInstalled(
    'vitest/vitest.mjs',
    ['run', ...projects.map((project) => `--project=${project}`), '--passWithNoTests', ...reporters],
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
