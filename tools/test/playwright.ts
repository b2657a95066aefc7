import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInstalled } from './command.ts';
import { nameFailure } from './failure.ts';
import { countFailedRun, NOTHING, type Tally } from './tally.ts';

/** Of the specs that show what only a whole product with a browser can show. */
const JOURNEY_TAG = '@journey';

/** Runs the journeys, or all specs in `npm run test:all`, in the browser at `browserPath` and counts them. */
export function runPlaywright(browserPath: string): Tally {
  const directory = mkdtempSync(join(tmpdir(), 'dutchbook-playwright-'));
  const report = join(directory, 'report.json');
  const chosen = process.env.TEST_ALL === undefined ? [`--grep=${JOURNEY_TAG}`] : [];
  const succeeded = runInstalled(
    '@playwright/test/cli.js',
    ['test', '--config=e2e/playwright.config.ts', '--pass-with-no-tests', '--reporter=list,json', ...chosen],
    { BROWSER_PATH: browserPath, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  );
  const counted = countTests(report);
  rmSync(directory, { recursive: true, force: true });
  return countFailedRun(counted, succeeded, 'Playwright');
}

interface Suite {
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly ok: boolean;
    readonly tests: readonly { readonly results: readonly { readonly error?: { readonly message?: string } }[] }[];
  }[];
  readonly suites?: readonly Suite[];
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly flaky: number };
  readonly suites: readonly Suite[];
  readonly errors: readonly { readonly message?: string }[];
}

/** A test that passed on a second try passed; Playwright calls it flaky. */
function countTests(reportFile: string): Tally {
  const report = readReport(reportFile);
  if (report === undefined) return NOTHING;
  const outside = report.errors.map(({ message }) => nameFailure('e2e/browser', '', message));
  const passed = report.stats.expected + report.stats.flaky;
  return { passed, failures: [...report.suites.flatMap(failuresIn), ...outside] };
}

function failuresIn({ specs, suites = [] }: Suite): string[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ title, file, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? []));
      return nameFailure(`e2e/browser/${file}`, title, errors[0]);
    });
  return [...own, ...suites.flatMap(failuresIn)];
}

function readReport(reportFile: string): PlaywrightReport | undefined {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return undefined;
  }
}
