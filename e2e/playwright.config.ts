import { userInfo } from 'node:os';
import { leftOut } from '@dutchbook/tools/test/costly.ts';
import { defineConfig } from '@playwright/test';

/** The commit by which `npm test` chooses of costly specs. */
const { FILES_BY_COMMIT } = process.env;

/**
 * The Chromium to drive is the machine's own, which `npm test` finds or installs and names in BROWSER_PATH; Playwright's
 * download is not used. The tests start the products they look at, so nothing here knows an address.
 */
export default defineConfig({
  testDir: 'browser',
  testMatch: '**/*.spec.ts',
  testIgnore: FILES_BY_COMMIT === undefined ? [] : leftOut(FILES_BY_COMMIT).map((file) => `**/${file}`),
  globalSetup: ['../tools/start/global-setup.ts', '../tools/postgres/global-setup.ts'],
  outputDir: '../test-results',
  // A machine that is busy elsewhere took 120 s and 15 s for what takes 40 s and 2 s alone.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // One more than cores: each waits a good part of its time, for the product or for the page.
  workers: 3,
  // One more try, on a product of its own, for what a machine that is busy elsewhere held up; the report calls it flaky.
  retries: 1,
  forbidOnly: true,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    // Whatever fades stands in the page twice for a moment; one test looks at motion as users see it.
    contextOptions: { reducedMotion: 'reduce' },
    // Emptied after each test and kept for the next: the process of its page has compiled the product's code already.
    reuseContext: true,
    screenshot: 'only-on-failure',
    // Recording costs a third of the run; `--trace on` records what has to be looked into.
    trace: 'off',
    launchOptions: {
      ...(process.env.BROWSER_PATH ? { executablePath: process.env.BROWSER_PATH } : {}),
      args: [
        '--disable-gpu',
        '--disable-software-rasterizer',
        // The shell alone would fit letters to whole pixels, which makes its texts wider than those of the whole browser.
        '--font-render-hinting=none',
        // Every page is the product's own: isolating its origin would have each test start a process or two and compile anew.
        '--disable-site-isolation-trials',
        // Pages live for seconds here: what optimising their code costs never comes back.
        '--js-flags=--no-opt --no-maglev',
        // Chromium's sandbox refuses to start as root, as tests run in containers.
        ...(userInfo().uid === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
});
