import { gzipSync } from 'node:zlib';
import { expect, type Page, type Response } from '@playwright/test';
import { test } from './desk-test.ts';
import { placed } from './placed-batch.ts';

/** Bytes as gzip sends them; `charts`: what draws charts, which is fetched where there are some. */
type Loaded = { scripts: number; charts: number; styles: number };

const CHARTS = /\/chart-canvas-[^/]+\.js$/;
/** What draws toasts, menus and explanations, which is fetched when the page has nothing else to do. */
const AT_IDLE = /\/(toast-shelf|opened-menu|shown-explanation|menu-drawer)-[^/]+\.js$/;

/** The scripts and styles a page needs to stand; `stands` waits for what comes last. */
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
    scripts: await sizeOf((url) => url.endsWith('.js') && !CHARTS.test(url) && !AT_IDLE.test(url)),
    charts: await sizeOf((url) => CHARTS.test(url)),
    styles: await sizeOf((url) => url.endsWith('.css')),
  };
}

test('the desk’s pages stay light', async ({ page }) => {
  for (const path of ['/', '/arbitrage', '/batches', '/items', '/settings', '/admin', '/admin/system-settings']) {
    const { scripts } = await firstLoad(page, path);
    expect.soft(scripts, `bytes of JavaScript on ${path}`).toBeLessThanOrEqual(240_000);
    expect.soft(scripts, path).toBeGreaterThan(0);
  }
});

test('the page of an opportunity stays light, its charts counted apart', async ({ page, set }) => {
  const { scripts, charts } = await firstLoad(page, `/arbitrage/${set.opportunityId}`, () =>
    expect(page.locator('canvas')).toHaveCount(2),
  );
  expect.soft(scripts, 'bytes of JavaScript without the charts').toBeLessThanOrEqual(240_000);
  expect.soft(charts, 'bytes of JavaScript for the charts').toBeLessThanOrEqual(26_000);
  expect(charts).toBeGreaterThan(0);
});

test('the page of a batch stays light, what sells it left out until it is asked for', async ({
  page,
  product,
  set,
}) => {
  const { id } = await placed(product, set.opportunityId);
  const { scripts } = await firstLoad(page, `/batches/${id}`, () =>
    expect(page.getByRole('list', { name: 'Timeline' })).toBeVisible(),
  );
  expect.soft(scripts, 'bytes of JavaScript').toBeLessThanOrEqual(240_000);
  expect(scripts).toBeGreaterThan(0);
});

test.describe('without a session', () => {
  test.use({ signedIn: false });

  test('the login page stays light', async ({ page }) => {
    const { scripts, styles } = await firstLoad(page, '/login');
    expect.soft(scripts, 'bytes of JavaScript').toBeLessThanOrEqual(150_000);
    expect.soft(styles, 'bytes of CSS').toBeLessThanOrEqual(12_000);
    expect(Math.min(scripts, styles)).toBeGreaterThan(0);
  });
});
