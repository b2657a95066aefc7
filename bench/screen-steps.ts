// How long somebody waits for a step: from a click in the sidebar until the screen it leads to is painted with its content,
// every screen having been seen before; and from a click on anything that can be clicked on the main screens to the
// first paint after it. Budgets: 200 ms and 100 ms.
//
//     node_modules/.bin/node bench/screen-steps.ts [rounds]
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { median, say, tell } from './rows.ts';
import { launchBrowser } from './screen/browser.ts';
import { watchInteractions } from './screen/interactions.ts';
import { runProduct } from './screen/running-product.ts';
import { addSampleOpportunities } from './screen/sample-opportunities.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const SCREENS = ['/arbitrage', '/batches', '/notifications', '/items', '/settings', '/admin', '/'];
/** What a page fetches when it has nothing else to do is there by then. */
const AT_REST_MS = 1_500;
const BETWEEN_MS = 400;
const CLICKABLE = 'main button:enabled, main a[href], main [role=tab], header button:enabled';
const ENDS_THE_SESSION = /log out/i;

await using product = await runProduct();
await addSampleOpportunities(product);
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript((session) => localStorage.setItem('access_token', session), product.token);
  await page.goto(product.url);
  await page.locator('nav a').first().waitFor();
  await measureScreens(page);
  await measureClicks(page);
} finally {
  await browser.close();
}

async function measureScreens(page: Page): Promise<void> {
  for (const path of SCREENS) await changeScreen(page, path);
  const took = new Map<string, number[]>(SCREENS.map((path) => [path, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const path of SCREENS) took.get(path)?.push(await changeScreen(page, path));
  const medians = [...took].map(([path, tookMs]) => ({ path, ms: median(tookMs) }));
  say(`  ${medians.map(({ path, ms }) => `${path} ${ms.toFixed(0)} ms`).join(', ')}`);
  tell({
    question: 'from the sidebar to the painted content of a screen seen before, slowest screen, median',
    figure: Math.max(...medians.map(({ ms }) => ms)),
    unit: 'ms',
    budget: { atMost: 200 },
    floor: null,
  });
}

/** Milliseconds from the click to the paint with the screen's content: its heading, and nothing that still loads. */
async function changeScreen(page: Page, path: string): Promise<number> {
  await pause(BETWEEN_MS);
  return page.evaluate(async (to) => {
    const link = document.querySelector<HTMLElement>(`nav a[href="${to}"], nav a[href="${to}/"]`);
    if (link === null) throw new Error(`no way to ${to}`);
    const headingBefore = document.querySelector('main h1');
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const stands = () =>
      document.querySelector('main h1') !== headingBefore &&
      document.querySelector('main h1') !== null &&
      document.querySelector('main [aria-busy=true], main [class*=Skeleton]') === null;
    const startMs = performance.now();
    link.click();
    while (!stands()) await frame();
    // The frame after it has been drawn: then the one before is on the screen.
    await frame();
    return performance.now() - startMs;
  }, path);
}

async function measureClicks(page: Page): Promise<void> {
  const slowest = { ms: 0, what: '' };
  let clicks = 0;
  for (const path of SCREENS) {
    await page.goto(`${product.url}${path}`);
    await page.locator('main h1').waitFor();
    await pause(AT_REST_MS);
    const names = await page
      .locator(CLICKABLE)
      .evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent));
    for (const [nth, name] of names.entries()) {
      if (ENDS_THE_SESSION.test(name ?? '')) continue;
      const ms = await clickOn(page, path, nth);
      if (ms === undefined) continue;
      clicks += 1;
      if (ms > slowest.ms) Object.assign(slowest, { ms, what: `${name} on ${path}` });
    }
  }
  say(`  ${clicks} different clicks; the slowest: ${slowest.what}`);
  tell({
    question: 'from a click on whatever can be clicked to the paint after it, slowest',
    figure: clicks > 0 ? slowest.ms : Number.POSITIVE_INFINITY,
    unit: 'ms',
    budget: { atMost: 100 },
    floor: null,
  });
}

/** Clicks the nth of what can be clicked, and leaves the screen as it was; undefined where it can be clicked no more. */
async function clickOn(page: Page, path: string, nth: number): Promise<number | undefined> {
  const target = page.locator(CLICKABLE).nth(nth);
  if (!(await target.isVisible()) || !(await target.isEnabled())) return undefined;
  const felt = await watchInteractions(page);
  await target.click({ timeout: 2_000 }).catch(() => undefined);
  await pause(BETWEEN_MS);
  const stillThere = new URL(page.url()).pathname === path;
  if (!stillThere) {
    // What leads away is measured with the screens.
    await page.goto(`${product.url}${path}`);
    await page.locator('main h1').waitFor();
    await pause(AT_REST_MS);
    return undefined;
  }
  const { slowestMs, count } = await felt();
  await page.keyboard.press('Escape');
  await pause(BETWEEN_MS);
  return count > 0 ? slowestMs : undefined;
}
