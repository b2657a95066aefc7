import { userInfo } from 'node:os';
import { defineBrowserCommand, playwright } from '@vitest/browser-playwright';
import { mergeConfig } from 'vite';
import { configDefaults, defineProject } from 'vitest/config';
import pages from './vite.config.ts';

/** Has the browser prefer light or dark, as the system it stands on would. */
const prefer = defineBrowserCommand<[colorScheme: 'light' | 'dark']>(async ({ page }, colorScheme) => {
  await page.emulateMedia({ colorScheme });
});

/** Has what opens and closes fade, as it does for users who do not prefer less motion. */
const fade = defineBrowserCommand<[fades: boolean]>(async ({ page }, fades) => {
  await page.emulateMedia({ reducedMotion: fades ? 'no-preference' : 'reduce' });
});

/** Each screen's states, in the Chromium that `npm test` finds and names in BROWSER_PATH. */
export default mergeConfig(
  pages,
  defineProject({
    test: {
      name: 'screens',
      include: ['src/**/*.screen.test.tsx'],
      // Vitest's own option for this does not reach a project with a configuration file.
      exclude: [...configDefaults.exclude, ...(process.env.SCREENS_LEFT_OUT?.split(' ') ?? [])],
      provide: {
        contrastOnScreens: process.env.CONTRAST_ON_SCREENS !== 'off',
        axeByCommit: process.env.AXE_BY_COMMIT ?? null,
      },
      setupFiles: ['src/testing/setup.ts'],
      testTimeout: 60_000,
      // A file that begins anew would load every module of the pages once more.
      isolate: false,
      // Each page has storage of its own. One more than cores: each waits a quarter of its time, for the driver and for what fades.
      maxWorkers: 3,
      expect: { poll: { timeout: 15_000 } },
      browser: {
        enabled: true,
        headless: true,
        ui: false,
        screenshotFailures: false,
        viewport: { width: 1280, height: 800 },
        locators: { exact: false },
        commands: { prefer, fade },
        provider: playwright({
          launchOptions: {
            ...(process.env.BROWSER_PATH ? { executablePath: process.env.BROWSER_PATH } : {}),
            args: [
              '--disable-gpu',
              '--disable-software-rasterizer',
              // The shell alone would fit letters to whole pixels, which makes its texts wider than those of the whole browser.
              '--font-render-hinting=none',
              // What optimising costs comes back to none of these pages; most of what they make is garbage soon.
              '--js-flags=--no-opt --min-semi-space-size=16 --max-semi-space-size=64',
              // Chromium's sandbox refuses to start as root, as tests run in containers.
              ...(userInfo().uid === 0 ? ['--no-sandbox'] : []),
            ],
          },
          // Whatever fades stands in the page twice for a moment.
          contextOptions: { reducedMotion: 'reduce', locale: 'en-US' },
        }),
        instances: [{ browser: 'chromium' }],
      },
    },
  }),
);
