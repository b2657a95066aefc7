// Does a page answer while its rows change? The list of opportunities stands open with 200 rows, then 1,000 (the product
// shows ten a page: list and stream come from this bench, everything else from the product), while messages come in.
// Somebody presses keys, opens and closes a row's menu, and sorts. Counted: the slowest way from a key or a press to the
// next paint. Budgets: 200 messages/s on 200 rows 50 ms and 50 frames/s, 100 ms on a processor slowed four times;
// 2,000 messages/s on 1,000 rows 100 ms.
//
//     node_modules/.bin/node bench/screen-busy.ts [seconds]
import { setTimeout as pause } from 'node:timers/promises';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import type { Browser, Page } from '@playwright/test';
import type { WebSocket } from 'ws';
import { say, tell } from './rows.ts';
import { standBetween } from './screen/between.ts';
import { launchBrowser } from './screen/browser.ts';
import { watchInteractions } from './screen/interactions.ts';
import { runProduct } from './screen/running-product.ts';
import { addSampleOpportunities } from './screen/sample-opportunities.ts';

const SECONDS = Number(process.argv[2] ?? 3);
const TICK_MS = 20;
/** On a busy machine a thousand rows take their time. */
const SHOWN_MS_MAX = 90_000;
const LIST_PATH = `${API_PREFIX}/arbitrage/opportunities?`;

type Load = { rows: number; perSecond: number; slowdown: number; budgetMs: number; framesMin: number | null };
type Row = { id: string; current_price: number | null };

const LOADS: readonly Load[] = [
  { rows: 200, perSecond: 200, slowdown: 1, budgetMs: 50, framesMin: 50 },
  { rows: 200, perSecond: 200, slowdown: 4, budgetMs: 100, framesMin: null },
  { rows: 1_000, perSecond: 2_000, slowdown: 1, budgetMs: 100, framesMin: null },
];

await using product = await runProduct();
await addSampleOpportunities(product);
const { data } = (await product.call('GET', '/arbitrage/opportunities?limit=1')) as { data: Row[] };
const browser = await launchBrowser();
try {
  for (const load of LOADS) await measure(browser, load, manyLike(data[0], load.rows));
} finally {
  await browser.close();
}

/** `count` opportunities that differ from `model` in their ids alone. */
function manyLike(model: Row | undefined, count: number): Row[] {
  if (model === undefined) throw new Error('the demo data has no opportunity');
  const idOf = (nth: number) => `${nth.toString(16).padStart(8, '0')}${model.id.slice(8)}`;
  return Array.from({ length: count }, (_, nth) => ({ ...model, id: idOf(nth) }));
}

async function measure(running: Browser, load: Load, rows: readonly Row[]): Promise<void> {
  const { slowdown, budgetMs, framesMin, perSecond } = load;
  const sent = { count: 0 };
  await using between = await standBetween(product.url, {
    answer: (path) => (path.startsWith(LIST_PATH) ? { data: rows, count: rows.length } : undefined),
    stream: (page) => feed(page, rows, perSecond, sent),
  });
  const page = await openList(running, between.url, load.rows);
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await pause(1_000);
  const startMs = performance.now();
  const sentBefore = sent.count;
  const felt = await watchInteractions(page);
  while (performance.now() - startMs < SECONDS * 1000) await interact(page);
  const { slowestMs, count, framesPerSecond } = await felt();
  const rate = (sent.count - sentBefore) / ((performance.now() - startMs) / 1000);
  const slowed = slowdown === 1 ? '' : `, processor slowed ${slowdown} times`;
  const question = `${load.rows} rows, ${perSecond} messages/s${slowed}`;
  say(`  ${question}: ${rate.toFixed(0)} messages/s were sent, ${count} interactions`);
  tell({
    question: `${question}: slowest way from a key or press to the paint`,
    figure: count > 0 ? slowestMs : Number.POSITIVE_INFINITY,
    unit: 'ms',
    budget: { atMost: budgetMs },
    floor: null,
  });
  const atLeast = framesMin === null ? null : { atLeast: framesMin };
  tell({ question: `${question}: frames`, figure: framesPerSecond, unit: '/s', budget: atLeast, floor: null });
  await page.context().close();
}

/** Prices of random rows, `perSecond` of them, once the page has subscribed. */
function feed(page: WebSocket, rows: readonly Row[], perSecond: number, sent: { count: number }): void {
  let seq = 1;
  let timer: NodeJS.Timeout | undefined;
  const send = (frame: object) => page.send(JSON.stringify(frame));
  const startMs = performance.now();
  let due = 0;
  const tick = () => {
    const until = ((performance.now() - startMs) / 1000) * perSecond;
    for (; due < until; due += 1) {
      const row = rows[Math.floor(Math.random() * rows.length)];
      if (row === undefined) return;
      seq += 1;
      sent.count += 1;
      const price = Math.round(Math.random() * 9_000) / 10_000;
      send({ seq, topic: 'opportunities', type: 'opportunity', id: row.id, data: { ...row, current_price: price } });
    }
  };
  page.on('message', (text) => {
    if (!String(text).includes('"subscribe"')) return;
    send({ type: 'ready', seq });
    timer ??= setInterval(tick, TICK_MS);
  });
  page.on('close', () => clearInterval(timer));
}

async function openList(running: Browser, url: string, rows: number): Promise<Page> {
  const page = await running.newPage({ viewport: { width: 1280, height: 1000 } });
  await page.addInitScript((session) => localStorage.setItem('access_token', session), product.token);
  await page.goto(`${url}/arbitrage`);
  await page.locator(`tbody tr:nth-child(${rows}) a`).first().waitFor({ timeout: SHOWN_MS_MAX });
  await page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
  return page;
}

/** By plain selectors: to look for a role would keep the page busier than its messages do. */
async function interact(page: Page): Promise<void> {
  await page.keyboard.press('j');
  await pause(200);
  await page.keyboard.press('j');
  await pause(200);
  await page.locator('tbody tr:nth-child(3) [aria-haspopup]').click();
  await page.locator('[role=menu]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[role=menu]').waitFor({ state: 'detached' });
  await pause(200);
  await page.locator('th:nth-child(2) button').click();
  await pause(500);
}
