// How soon does a page say that its prices are old, and how soon is it right again? The whole product with its demo data
// and its market makers, the list of opportunities open in a browser. Three things stop, one after the other, several
// times over: what the server sends (its connection stays open), the connection itself for two seconds, and the venue's
// own stream while its market goes on (silence cannot be told from a market where nothing happens). Counted: from the
// stop to the badge that says so, and from the moment a connection is possible again to a list that says Live and whose
// rows are those of the API, none missing, none twice. Budget: 3 s each.
//
//     node_modules/.bin/node bench/screen-recovery.ts [times]
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { median, say, tell } from './rows.ts';
import { standBetween } from './screen/between.ts';
import { launchBrowser } from './screen/browser.ts';
import { runProduct } from './screen/running-product.ts';
import { addSampleOpportunities } from './screen/sample-opportunities.ts';

const TIMES = Number(process.argv[2] ?? 5);
const BUDGET_MS = 3_000;
const OUTAGE_MS = 2_000;
const LONGEST_MS = 60_000;
const POLL_MS = 50;
const API_TRIES = 10;
/** Rows that are not right by then never will be: nothing moves any more. */
const GIVE_UP_MS = 10_000;
const ANOTHER_BOOK = { bids: [{ price: '0.4', size: 7 }], asks: [{ price: '0.6', size: 9 }] };
const LIST = '/arbitrage/opportunities?skip=0&limit=10&sort_by=created_at&sort_order=desc';

await using product = await runProduct();
await addSampleOpportunities(product);
await using between = await standBetween(product.url, {});
const browser = await launchBrowser();
try {
  const page = await browser.newPage();
  await page.addInitScript((session) => localStorage.setItem('access_token', session), product.token);
  await page.goto(`${between.url}/arbitrage`);
  await badge(page, /^Live$/);
  await measure('the server says nothing: a page says stale', () => stopped(page, between.silence, between.mend));
  await measure('the connection is cut: a page says offline', () => stopped(page, between.cut, between.mend));
  await measure('the connection is back: live, every row as the API has it', () => reconnected(page));
  await measure('the venue’s stream stands still: a page says stale', () =>
    stopped(
      page,
      async () => {
        await product.control('faults', { name: 'freeze_stream', ms: LONGEST_MS });
        await product.control('book', { token_id: await aToken(), ...ANOTHER_BOOK });
      },
      () => product.control('faults', undefined, 'DELETE'),
    ),
  );
} finally {
  await browser.close();
}

/** The floor is the API's own answer about the ten rows, asked just before. */
async function measure(name: string, once: () => Promise<number>): Promise<void> {
  const floor = { figure: await apiMs(), of: 'the API answers the same rows' };
  const tookMs: number[] = [];
  while (tookMs.length < TIMES) tookMs.push(await once());
  const budget = { atMost: BUDGET_MS };
  tell({ question: `${name}, worst of ${TIMES}`, figure: Math.max(...tookMs), unit: 'ms', budget, floor });
}

/** One that the product follows. */
async function aToken(): Promise<string> {
  const { data } = (await product.call('GET', LIST)) as { data: [{ id: string }] };
  const opportunity = await product.call('GET', `/arbitrage/opportunities/${data[0].id}`);
  return (opportunity as { positions: [{ token_id: string }] }).positions[0].token_id;
}

async function apiMs(): Promise<number> {
  const tookMs: number[] = [];
  while (tookMs.length < API_TRIES) {
    const startMs = performance.now();
    await product.call('GET', LIST);
    tookMs.push(performance.now() - startMs);
  }
  return median(tookMs);
}

/** The word for how fresh the page is. */
async function badge(page: Page, word: RegExp): Promise<void> {
  await page.getByRole('banner').getByText(word, { exact: true }).waitFor({ timeout: LONGEST_MS });
}

async function stopped(page: Page, stop: () => unknown, start: () => unknown): Promise<number> {
  const startMs = performance.now();
  await stop();
  await badge(page, /^(Stale|Offline|Feed down)$/);
  const tookMs = performance.now() - startMs;
  await start();
  await badge(page, /^Live$/);
  return tookMs;
}

async function reconnected(page: Page): Promise<number> {
  between.cut();
  await badge(page, /^(Stale|Offline)$/);
  await pause(OUTAGE_MS);
  await product.control('pause');
  await pause(OUTAGE_MS);
  between.mend();
  const startMs = performance.now();
  await badge(page, /^Live$/);
  while ((await rowsShown(page)) !== (await rowsOfApi())) {
    if (performance.now() - startMs > GIVE_UP_MS) {
      say(`shown:\n${await rowsShown(page)}\nbut the API has:\n${await rowsOfApi()}`);
      await product.control('resume');
      return Number.POSITIVE_INFINITY;
    }
    await pause(POLL_MS);
  }
  const tookMs = performance.now() - startMs;
  await product.control('resume');
  return tookMs;
}

/** The ids and prices on screen, and those that the API answers, in one order. */
async function rowsShown(page: Page): Promise<string> {
  const rows = await page.locator('tbody tr').evaluateAll((all) =>
    all.map((row) => {
      const price = row.querySelector('td[data-label="Current Price"]')?.textContent?.replace(/[▲▼]/, '');
      return `${row.querySelector('a[title]')?.getAttribute('title')} ${price}`;
    }),
  );
  return rows.sort().join('\n');
}

async function rowsOfApi(): Promise<string> {
  const { data } = (await product.call('GET', LIST)) as { data: { id: string; current_price: number | null }[] };
  const rows = data.map(({ id, current_price: price }) => `${id} ${price === null ? '–' : price.toFixed(4)}`);
  return rows.sort().join('\n');
}
