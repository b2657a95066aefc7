import { gzipSync } from 'node:zlib';
import { expect, type Page, type Response } from '@playwright/test';
import { test } from './browser.fixture.ts';
import { placed } from './placed-batch.ts';

/** Bytes as gzip sends them. */
type Loaded = { scripts: number; styles: number };

/** Limits. */
const PAGE_MAX = 270_000;
const LOGIN_MAX = 160_000;

/** All scripts and styles that a page fetches until it rests; `stands` waits for what comes last. */
async function firstLoad(page: Page, path: string, stands = async () => {}): Promise<Loaded> {
  const used: Response[] = [];
  const notice = (response: Response) => void used.push(response);
  page.on('response', notice);
  await page.goto(path, { waitUntil: 'networkidle' });
  await stands();
  page.off('response', notice);
  const sizeOf = async (isMeant: (url: string) => boolean) => {
    const files = used.filter((response) => response.status() === 200 && isMeant(response.url()));
    // Asked for again: what a worker has loaded keeps its body to itself.
    const bodies = await Promise.all(files.map(async (file) => (await page.request.get(file.url())).body()));
    const sizes = bodies.map((body) => gzipSync(body, { level: 9 }).length);
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  };
  return {
    scripts: await sizeOf((url) => url.endsWith('.js')),
    styles: await sizeOf((url) => url.endsWith('.css')),
  };
}

test('the desk’s pages stay light', async ({ page }) => {
  for (const path of [
    '/',
    '/arbitrage',
    '/batches',
    '/portfolio',
    '/items',
    '/settings',
    '/admin',
    '/admin/system-settings',
  ]) {
    const { scripts } = await firstLoad(page, path);
    expect.soft(scripts, `bytes of JavaScript on ${path}`).toBeLessThanOrEqual(PAGE_MAX);
    expect.soft(scripts, path).toBeGreaterThan(0);
  }
});

test('the page of an opportunity stays light, its charts counted', async ({ page, set }) => {
  const { scripts } = await firstLoad(page, `/arbitrage/${set.opportunityId}`, () =>
    expect(page.locator('canvas')).toHaveCount(2),
  );
  expect(scripts, 'bytes of JavaScript').toBeLessThanOrEqual(PAGE_MAX);
  expect(scripts).toBeGreaterThan(0);
});

test('the page of a batch stays light', async ({ page, product, set }) => {
  const { id } = await placed(product, set.opportunityId);
  const { scripts } = await firstLoad(page, `/batches/${id}`, () =>
    expect(page.getByRole('list', { name: 'Timeline' })).toBeVisible(),
  );
  expect.soft(scripts, 'bytes of JavaScript').toBeLessThanOrEqual(PAGE_MAX);
  expect(scripts).toBeGreaterThan(0);
});

test.describe('without a session', () => {
  test.use({ signedIn: false });

  test('the login page stays light', async ({ page }) => {
    const { scripts, styles } = await firstLoad(page, '/login');
    expect.soft(scripts, 'bytes of JavaScript').toBeLessThanOrEqual(LOGIN_MAX);
    expect.soft(styles, 'bytes of CSS').toBeLessThanOrEqual(12_000);
    expect(Math.min(scripts, styles)).toBeGreaterThan(0);
  });
});
