// How old is a price when a person sees it? The whole product runs with the list of opportunities open in a browser,
// while the simulated exchange's books change 200 times a second, on random ones of the ten rows shown. Counted from the
// exchange's answer to the change, by when its frame has left, to the painted cell that shows it or a later one.
// Budget: p95 400 ms, p99 700 ms. A second run changes one quiet row at a time: with nothing to wait for, it should paint at once.
// A third lets one row come up to its trigger and fall again, and counts until its status says so.
// The list is sorted by what changes, and the row under the pointer has to stay: 0 strangers, 0 px.
//
//     node_modules/.bin/node bench/screen-freshness.ts [seconds]
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { quantile, say, type Row as Told, tell } from './rows.ts';
import { agesOnScreen, type Left } from './screen/ages.ts';
import { launchBrowser } from './screen/browser.ts';
import { measurePaintFloor, watchPaints } from './screen/paint-probe.ts';
import { type RunningProduct, runProduct } from './screen/running-product.ts';

const SECONDS = Number(process.argv[2] ?? 4);
const CHANGES_PER_SECOND = 200;
const QUIET_CHANGES = 12;
const QUIET_MS = 400;
const SETTLE_MS = 2000;
const ROWS = 10;
const P95_MS_MAX = 400;
const P99_MS_MAX = 700;
const FLOOR_TRIES = 100;
const FEWEST_FOR_P99 = 100;
/** A row's prices run through these and begin again: ninety changes until one recurs. */
const FIRST_CENTS = 5;
const LAST_CENTS = 94;
/** Of a target price of 50: 11 % profit, which is not too good to be true, and none. */
const TRIGGERING_CENTS = 45;
const FALLEN_CENTS = 60;
/** By when every process has taken notice of an edit. */
const NOTICED_MS = 2500;

/** A row of the list: its book, the price it was set to last, and the change that is under way. */
type Row = { id: string; tokenId: string; cents: number; underWay: Promise<void> };

const inMs = (values: readonly number[]) =>
  [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${quantile(values, share).toFixed(0)} ms`).join(', ');

await using product = await runProduct();
await product.control('pause');
const rows = await openRows(product);
const browser = await launchBrowser();
try {
  const page = await openList(browser.newPage({ viewport: { width: 1280, height: 1000 } }), product);
  const floor = await measureFloor(page);
  const busy = `${CHANGES_PER_SECOND} changes/s on ten rows`;
  await measure(page, { name: busy, column: 'Current Price', floor }, () => changeMany(rows));
  await measure(page, { name: 'one quiet row at a time', column: 'Current Price', floor }, () => changeFew(rows));
  await measure(page, { name: 'a row that triggers and falls', column: 'Status', floor }, () => crossTrigger(rows[0]));
} finally {
  await browser.close();
}

/** Ten opportunities of one position each, too dear to trigger. */
async function openRows({ call, control }: RunningProduct): Promise<Row[]> {
  type Market = { id: string; outcomes: { outcome: string; token_id: string }[] };
  const { data } = (await call('GET', `/markets?limit=${ROWS}`)) as { data: Market[] };
  const opened: Row[] = [];
  for (const { id: marketId, outcomes } of data) {
    const [{ outcome, token_id: tokenId } = { outcome: '', token_id: '' }] = outcomes;
    await control('book', bookAt(tokenId, FIRST_CENTS));
    const { id } = (await call('POST', '/arbitrage/opportunities', {
      market_combinations: [{ leg: 1, markets: [{ id: marketId, outcome }] }],
      target_price: 0.01,
    })) as { id: string };
    opened.push({ id, tokenId, cents: FIRST_CENTS, underWay: Promise.resolve() });
  }
  return opened;
}

function bookAt(tokenId: string, cents: number) {
  const asks = [{ price: (cents / 100).toFixed(2), size: '1000' }];
  return { token_id: tokenId, bids: [{ price: '0.01', size: '1000' }], asks };
}

/** The list sorted by the price that changes, the pointer at rest on its fourth row. */
async function openList(opening: Promise<Page>, { url, token }: RunningProduct): Promise<Page> {
  const page = await opening;
  await page.addInitScript((session) => localStorage.setItem('access_token', session), token);
  await page.goto(`${url}/arbitrage?sortBy=current_price`);
  await page
    .locator('tbody td[data-label="Current Price"]')
    .nth(ROWS - 1)
    .getByText('0.05')
    .waitFor();
  return page;
}

/** What a page needs to paint a change of its own, in ms, and how it was measured. */
async function measureFloor(page: Page): Promise<{ p95: number; p99: number }> {
  const answers: number[] = [];
  const [row] = rows;
  if (row === undefined) throw new Error('the exchange lists no market');
  for (let nth = 0; nth < FLOOR_TRIES; nth += 1) {
    const start = performance.now();
    await product.control('book', bookAt(row.tokenId, FIRST_CENTS));
    answers.push(performance.now() - start);
  }
  say(`  a control call of the exchange is answered in ${inMs(answers)}`);
  const paints = await measurePaintFloor(page, FLOOR_TRIES);
  return { p95: quantile(paints, 0.95), p99: quantile(paints, 0.99) };
}

type Watched = { name: string; column: string; floor: { p95: number; p99: number } };

async function measure(page: Page, { name, column, floor }: Watched, change: () => Promise<Left[]>): Promise<void> {
  const { x, y, height } = (await page.locator('tbody tr').nth(3).boundingBox()) ?? { x: 0, y: 0, height: 0 };
  const pointer = { x: x + 20, y: y + height / 2 };
  await page.mouse.move(pointer.x, pointer.y);
  const probe = await watchPaints(page, column, pointer);
  const startMs = performance.now();
  const left = await change();
  const perSecond = left.length / ((performance.now() - startMs) / 1000);
  await pause(SETTLE_MS);
  const { paints, hold } = await probe.jsonValue();
  const ages = agesOnScreen(left, paints);
  say(`  ${name}: ${left.length} changes at ${perSecond.toFixed(0)}/s, ${paints.length} cells painted, ${inMs(ages)}`);
  const of = 'a page paints a change of its own';
  const question = `frame to painted cell, ${name}`;
  tell({ question: `${question}: p95`, ...ms(quantile(ages, 0.95), P95_MS_MAX), floor: { figure: floor.p95, of } });
  if (ages.length < FEWEST_FOR_P99) return;
  tell({ question: `${question}: p99`, ...ms(quantile(ages, 0.99), P99_MS_MAX), floor: { figure: floor.p99, of } });
  const still: Pick<Told, 'budget' | 'floor'> = { budget: { atMost: 0 }, floor: null };
  tell({ question: `${question}: other rows under the pointer`, figure: hold.strangers, unit: '', ...still });
  tell({ question: `${question}: its row moved by`, figure: hold.movedPx, unit: 'px', ...still });
}

function ms(figure: number, atMost: number): Pick<Told, 'figure' | 'unit' | 'budget'> {
  return { figure, unit: 'ms', budget: { atMost } };
}

async function changeMany(among: readonly Row[]): Promise<Left[]> {
  const left: Left[] = [];
  const startMs = performance.now();
  const count = SECONDS * CHANGES_PER_SECOND;
  for (let nth = 0; nth < count; nth += 1) {
    const earlyMs = startMs + (nth * 1000) / CHANGES_PER_SECOND - performance.now();
    if (earlyMs >= 1) await pause(earlyMs);
    changeNext(among[Math.floor(Math.random() * among.length)], left);
  }
  await Promise.all(among.map(({ underWay }) => underWay));
  return left;
}

async function changeFew(among: readonly Row[]): Promise<Left[]> {
  const left: Left[] = [];
  for (let nth = 0; nth < QUIET_CHANGES; nth += 1) {
    const row = among[nth % among.length];
    changeNext(row, left);
    await row?.underWay;
    await pause(QUIET_MS + 30 * Math.random());
  }
  return left;
}

/** Nothing is bought: what is measured is the way of a trigger to the screen. */
async function crossTrigger(row: Row | undefined): Promise<Left[]> {
  if (row === undefined) return [];
  await product.call('PUT', '/system-settings/', { AUTO_PLACE_ORDER_ENABLED: false });
  await product.control('book', bookAt(row.tokenId, FALLEN_CENTS));
  await product.call('PUT', `/arbitrage/opportunities/${row.id}?target_price=0.5`);
  await pause(NOTICED_MS);
  const left: Left[] = [];
  for (let nth = 0; nth < QUIET_CHANGES; nth += 1) {
    const rises = nth % 2 === 0;
    await product.control('book', bookAt(row.tokenId, rises ? TRIGGERING_CENTS : FALLEN_CENTS));
    left.push({ rowId: row.id, value: rises ? 'Triggered' : 'Active', atMs: Date.now() });
    await pause(QUIET_MS + 30 * Math.random());
  }
  return left;
}

/** Moves a row's price by a cent as soon as its change before has been answered, and notes when that has left. */
function changeNext(row: Row | undefined, left: Left[]): void {
  if (row === undefined) return;
  row.underWay = row.underWay.then(async () => {
    row.cents = row.cents === LAST_CENTS ? FIRST_CENTS : row.cents + 1;
    await product.control('book', bookAt(row.tokenId, row.cents));
    left.push({ rowId: row.id, value: (row.cents / 100).toFixed(4), atMs: Date.now() });
  });
}
