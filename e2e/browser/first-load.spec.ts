import { gzipSync } from 'node:zlib';
import { expect, type Page, type Response } from '@playwright/test';
import { test } from './desk-test.ts';

type Loaded = { scripts: number; styles: number };

/** The scripts and styles a page uses by the time it is at rest, in bytes as gzip sends them. */
async function firstLoad(page: Page, path: string): Promise<Loaded> {
  const used: Response[] = [];
  const notice = (response: Response) => void used.push(response);
  page.on('response', notice);
  await page.goto(path, { waitUntil: 'networkidle' });
  page.off('response', notice);
  const sizeOf = async (ending: string) => {
    const files = used.filter((response) => response.status() === 200 && response.url().endsWith(ending));
    const sizes = await Promise.all(files.map(async (file) => gzipSync(await file.body(), { level: 9 }).length));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  };
  return { scripts: await sizeOf('.js'), styles: await sizeOf('.css') };
}

test('the desk’s pages stay light', async ({ page }) => {
  for (const path of ['/', '/arbitrage', '/batches', '/items', '/settings', '/admin', '/admin/system-settings']) {
    const { scripts } = await firstLoad(page, path);
    expect.soft(scripts, `bytes of JavaScript on ${path}`).toBeLessThanOrEqual(240_000);
    expect.soft(scripts, path).toBeGreaterThan(0);
  }
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
