import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInstalled } from './command.ts';
import { countFailedRun, NOTHING, type Tally } from './tally.ts';

/** Runs the Vitest projects a pattern names (`!name` for all but one) and counts their tests. */
export function runVitest(projects: string): Tally {
  const directory = mkdtempSync(join(tmpdir(), 'dutchbook-vitest-'));
  const report = join(directory, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const succeeded = runInstalled('vitest/vitest.mjs', [
    'run',
    `--project=${projects}`,
    '--passWithNoTests',
    ...reporters,
  ]);
  const counted = countTests(report);
  rmSync(directory, { recursive: true, force: true });
  return countFailedRun(counted, succeeded);
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** Vitest's own counts, and one failure for every file in which no test could even be collected. */
function countTests(reportFile: string): Tally {
  const report = readReport(reportFile);
  if (report === undefined) return NOTHING;
  const unloadable = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloadable.length };
}

function readReport(reportFile: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return undefined;
  }
}
