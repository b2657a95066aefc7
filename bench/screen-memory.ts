// Does a page that stays open all day grow? The whole product with its demo data and its market makers: a browser goes
// from screen to screen without a reload, then watches the live list for some minutes, if it is to. Counted: the heap after
// garbage collection, against that after the first round of the screens. Budget: 10 MB more at most. Then eight tabs of one
// browser have to say Live and to show a change of a price, all of them.
//
//     node_modules/.bin/node bench/screen-memory.ts [--minutes 30] [--changes 200]
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { tell } from './rows.ts';
import { launchBrowser } from './screen/browser.ts';
import { type RunningProduct, runProduct } from './screen/running-product.ts';
import { addSampleOpportunities } from './screen/sample-opportunities.ts';

const { values: chosen } = parseArgs({
  options: { minutes: { type: 'string', default: '0' }, changes: { type: 'string', default: '42' } },
});
const MINUTES = Number(chosen.minutes);
const CHANGES = Number(chosen.changes);
const GROWTH_MAX_MB = 10;
const TABS = 8;
const POLL_MS = 50;
/** On every market's grid, and where no position stands by itself. */
const ASK = '0.98';
const SCREENS = ['Dashboard', 'Arbitrage', 'Batch Orders', 'Notifications', 'Items', 'Settings', 'Admin'];
/** By when a screen that was left has taken down what it put up. */
const SETTLE_MS = 1_000;

await using product = await runProduct();
await addSampleOpportunities(product);
const browser = await launchBrowser();
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript((session) => localStorage.setItem('access_token', session), product.token);
  const page = await context.newPage();
  await page.goto(product.url);
  const client = await context.newCDPSession(page);
  await goThrough(page, SCREENS.length * 2);
  const beforeMb = await heapMb(client);
  await goThrough(page, CHANGES);
  await tellGrowth(`${CHANGES} changes of the screen`, beforeMb, client);
  if (MINUTES > 0) {
    await page.getByRole('link', { name: 'Arbitrage', exact: true }).click();
    await pause(MINUTES * 60_000);
    await goThrough(page, SCREENS.length);
    await tellGrowth(`them and ${MINUTES} minutes of the live list`, beforeMb, client);
  }
  await page.close();
  await openTabs(context, product);
} finally {
  await browser.close();
}

async function goThrough(page: Page, changes: number): Promise<void> {
  for (let nth = 0; nth < changes; nth += 1) {
    const screen = SCREENS[nth % SCREENS.length] ?? '';
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: new RegExp(`^${screen}`) })
      .click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  }
}

async function heapMb(client: CDPSession): Promise<number> {
  await pause(SETTLE_MS);
  for (let nth = 0; nth < 3; nth += 1) await client.send('HeapProfiler.collectGarbage');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}

async function tellGrowth(what: string, beforeMb: number, client: CDPSession): Promise<void> {
  tell({
    question: `heap of a page after ${what}: more by`,
    figure: (await heapMb(client)) - beforeMb,
    unit: 'MB',
    budget: { atMost: GROWTH_MAX_MB },
    floor: null,
  });
}

type Opportunity = { id: string; current_price: number | null; positions: { token_id: string }[] };

/** All tabs look at one opportunity, whose price then changes to one it cannot have had. */
async function openTabs(context: BrowserContext, { url, call, control }: RunningProduct): Promise<void> {
  const { data } = (await call('GET', '/arbitrage/opportunities?limit=1')) as { data: { id: string }[] };
  await control('pause');
  await pause(SETTLE_MS);
  const {
    id,
    positions,
    current_price: before,
  } = (await call('GET', `/arbitrage/opportunities/${data[0]?.id}`)) as Opportunity;
  const tabs: Page[] = [];
  while (tabs.length < TABS) {
    const tab = await context.newPage();
    await tab.goto(`${url}/arbitrage/${id}`);
    tabs.push(tab);
  }
  await Promise.all(tabs.map((tab) => tab.getByRole('banner').getByText('Live', { exact: true }).waitFor()));
  for (const { token_id } of positions)
    await control('book', { token_id, bids: [{ price: '0.01', size: '1000' }], asks: [{ price: ASK, size: '1000' }] });
  const startMs = performance.now();
  let price = before;
  while (price === before || price === null) {
    await pause(POLL_MS);
    price = ((await call('GET', `/arbitrage/opportunities/${id}`)) as Opportunity).current_price;
  }
  const figure = performance.now() - startMs;
  const shown = price.toFixed(4);
  let live = 0;
  await Promise.all(
    tabs.map(async (tab) => {
      await tab.getByText(shown).first().waitFor();
      live += 1;
    }),
  );
  tell({
    question: 'tabs of one browser that are live and show a change of a price',
    figure: live,
    unit: '',
    budget: { atLeast: TABS },
    floor: null,
  });
  tell({
    question: `a change of a price in the last of ${TABS} tabs after`,
    figure: performance.now() - startMs,
    unit: 'ms',
    budget: null,
    floor: { figure, of: 'until the API says so' },
  });
}
