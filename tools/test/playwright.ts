import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInstalled } from './command.ts';
import { countFailedRun, NOTHING, type Tally } from './tally.ts';

/** Runs the browser tests in the browser at `browserPath` and counts them. */
export function runPlaywright(browserPath: string): Tally {
  const directory = mkdtempSync(join(tmpdir(), 'dutchbook-playwright-'));
  const report = join(directory, 'report.json');
  const succeeded = runInstalled(
    '@playwright/test/cli.js',
    ['test', '--config=e2e/playwright.config.ts', '--pass-with-no-tests', '--reporter=list,json'],
    { BROWSER_PATH: browserPath, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  );
  const counted = countTests(report);
  rmSync(directory, { recursive: true, force: true });
  return countFailedRun(counted, succeeded);
}

/** A test that passed on a second try passed; Playwright calls it flaky. */
function countTests(reportFile: string): Tally {
  try {
    const { stats } = JSON.parse(readFileSync(reportFile, 'utf8'));
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
  } catch {
    return NOTHING;
  }
}
