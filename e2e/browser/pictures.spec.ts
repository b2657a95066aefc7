/**
 * The main screens as pictures, compared with those in `pictures/`. They show what a product with its samples once
 * answered, at the time it did, in fonts that come with the tests, so that nothing depends on the machine but how
 * Chromium smooths a line: that is what the tolerance is for.
 *
 * Anew, of a product that runs: `PICTURES_FROM=http://127.0.0.1:8000 PICTURES_TOKEN=... playwright test pictures -u all`; of
 * the same answers, when a screen has changed: the same without the two.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import { watchedTest } from './browser.fixture.ts';
import { keepRecorded, type Recorded, readRecorded, replay, serveBuiltPages } from './recorded-answers.ts';

/** Nobody listens there: everything is answered by the test. */
const ORIGIN = 'http://127.0.0.1:9';

const signedIn = [{ origin: ORIGIN, localStorage: [{ name: 'access_token', value: 'any' }] }];

const test = watchedTest.extend({
  page: async ({ page }, use) => {
    await bringFonts(page);
    await serveBuiltPages(page);
    await use(page);
  },
});
test.use({ baseURL: ORIGIN, timezoneId: 'UTC' });

const DIFFERENT_MAX = 0.001;

const require = createRequire(import.meta.url);
/** Under the first names that the product's own lists of fonts have for what a machine may have. */
const FONTS = [
  { name: 'SFMono-Regular', weight: '400', file: '@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff2' },
];

type Screen = {
  name: string;
  path: string | ((recorded: Recorded) => string);
  /** What comes last on it. */
  stands: (page: Page) => Promise<unknown>;
  themes?: readonly ('light' | 'dark')[];
};

const shows = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();
const inTable = (page: Page, count: number) =>
  page
    .locator('tbody tr')
    .nth(count - 1)
    .getByRole('button')
    .first()
    .waitFor();
const rows = (count: number) => (page: Page) => inTable(page, count);

const LIGHT = ['light'] as const;

const SCREENS: readonly Screen[] = [
  { name: 'dashboard', path: '/', stands: shows('lost at worst by'), themes: ['light', 'dark'] },
  { name: 'arbitrage', path: '/arbitrage', stands: rows(10), themes: ['light', 'dark'] },
  { name: 'opportunity', path: ofFirst('/arbitrage', 'opportunities'), stands: shows('Largest profitable') },
  { name: 'batches', path: '/batches', stands: rows(10) },
  { name: 'portfolio', path: '/portfolio', stands: shows('Best Mix') },
  { name: 'batch', path: ofFirst('/batches', 'batches', 'unhedged'), stands: shows('First Fill') },
  { name: 'notifications', path: '/notifications', stands: rows(10) },
  { name: 'items', path: '/items', stands: rows(5) },
  { name: 'users', path: '/admin', stands: rows(4) },
  { name: 'system-settings', path: '/admin/system-settings', stands: shows('in positions and open orders now') },
];

/** The page of the first row, of those that have `fact` where one is named, which a list was answered with. */
function ofFirst(path: string, list: string, fact?: string) {
  return ({ answers }: Recorded) => {
    const [, answer] = Object.entries(answers).find(([call]) => call.startsWith(`/api/v1/arbitrage/${list}?`)) ?? [];
    const { data } = answer as { data: Record<string, unknown>[] };
    const { id } = data.find((row) => fact === undefined || row[fact] !== null) ?? {};
    return `${path}/${id}`;
  };
}

test.describe('with a session', () => {
  test.use({ storageState: { cookies: [], origins: signedIn } });

  test('the main screens look as they did', async ({ page }) => {
    test.slow();
    const recorded = await readRecorded();
    await replay(page, recorded);
    for (const { name, path, stands, themes = LIGHT } of SCREENS) {
      await page.goto(typeof path === 'string' ? path : path(recorded));
      await stands(page);
      await page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
      for (const theme of themes) await expectPictureIn(page, theme, name);
    }
    await keepRecorded(recorded);
  });
});

test('the login page looks as it did', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Log In' }).waitFor();
  await expectPictureIn(page, 'light', 'login');
});

/** What is drawn on a canvas is held to by its own tests. */
async function expectPictureIn(page: Page, theme: 'light' | 'dark', name: string) {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveClass(theme);
  await page.evaluate(() => document.fonts.ready);
  const file = theme === 'light' ? `${name}.png` : `${name}-${theme}.png`;
  const mask = [page.locator('canvas')];
  await expect.soft(page).toHaveScreenshot(file, { maxDiffPixelRatio: DIFFERENT_MAX, mask, maskColor: '#808080' });
}

async function bringFonts(page: Page) {
  const fonts = await Promise.all(
    FONTS.map(async ({ file, ...font }) => ({
      ...font,
      data: (await readFile(require.resolve(file))).toString('base64'),
    })),
  );
  await page.addInitScript((brought) => {
    for (const { name, weight, data } of brought) {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const face = new FontFace(name, bytes, { weight });
      document.fonts.add(face);
      void face.load();
    }
  }, fonts);
}
