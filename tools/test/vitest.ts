import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInstalled } from './command.ts';
import { countFailedRun, NOTHING, type Tally } from './tally.ts';

const TALLY_REPORTER = fileURLToPath(new URL('./vitest-reporter.ts', import.meta.url));

/** Runs the Vitest projects a pattern names (`!name` for all but one) and counts their tests. */
export function runVitest(projects: string): Tally {
  const directory = mkdtempSync(join(tmpdir(), 'dutchbook-vitest-'));
  const tallyFile = join(directory, 'tally.json');
  const reporters = ['--reporter=default', `--reporter=${TALLY_REPORTER}`];
  const succeeded = runInstalled(
    'vitest/vitest.mjs',
    ['run', `--project=${projects}`, '--passWithNoTests', ...reporters],
    { TALLY_FILE: tallyFile },
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
