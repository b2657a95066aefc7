/** A list of opportunities whose prices are moved, in a browser, and how old they are when they are painted. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { quantile, type Row as Stated, say, tell } from '../rows.ts';
import { agesOnScreen, type Left } from './ages.ts';
import { measurePaintFloor, watchPaints } from './paint-probe.ts';
import type { RunningProduct } from './running-product.ts';

const CHANGES_PER_SECOND = 200;
const REST_MS = 2000;
const ROWS = 10;
const P95_MS_MAX = 400;
const P99_MS_MAX = 700;
const FLOOR_TRIES = 100;
/** Tells them from those that the product finds. */
export const SOURCE = 'moved by a bench';
const FEWEST_FOR_P99 = 100;
/** A row's prices run through these and begin again: ninety changes until one recurs. */
const FIRST_CENTS = 5;
const LAST_CENTS = 94;

/** A row of the list: its book, the price it was set to last, and the change that is under way. */
export type MovingRow = { id: string; tokenId: string; cents: number; underWay: Promise<void> };

/** `floor`: what the page needs to paint a change of its own, in ms. */
export type MovingList = { product: RunningProduct; page: Page; rows: readonly MovingRow[]; floor: PaintFloor };

type PaintFloor = { p95: number; p99: number };

const inMs = (values: readonly number[]) =>
  [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${quantile(values, share).toFixed(0)} ms`).join(', ');

/** A list of rows whose prices only this question moves. */
export async function openMovingList(product: RunningProduct, browser: Browser): Promise<MovingList> {
  await product.control('pause');
  const rows = await openRows(product, ROWS);
  const page = await openList(browser.newPage({ viewport: { width: 1280, height: 1000 } }), product);
  return { product, page, rows, floor: await measureFloor(page, product, rows) };
}

/** Opportunities of one position each, too dear to trigger. */
export async function openRows({ call, control }: RunningProduct, count: number): Promise<MovingRow[]> {
  type Market = { id: string; outcomes: { outcome: string; token_id: string }[] };
  const { data } = (await call('GET', `/markets?limit=${count}`)) as { data: Market[] };
  const opened: MovingRow[] = [];
  for (const { id: marketId, outcomes } of data) {
    const [{ outcome, token_id: tokenId } = { outcome: '', token_id: '' }] = outcomes;
    await control('book', bookAt(tokenId, FIRST_CENTS));
    const { id } = (await call('POST', '/arbitrage/opportunities', {
      market_combinations: [{ leg: 1, markets: [{ id: marketId, outcome }] }],
      target_price: 0.01,
      source: SOURCE,
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
  await page.goto(`${url}/arbitrage?sortBy=current_price&q=${encodeURIComponent(SOURCE)}`);
  await page
    .locator('tbody td[data-label="Current Price"]')
    .nth(ROWS - 1)
    .getByText('0.05')
    .waitFor();
  return page;
}

/** What a page needs to paint a change of its own, in ms, and how it was measured. */
async function measureFloor(page: Page, product: RunningProduct, [row]: readonly MovingRow[]): Promise<PaintFloor> {
  const answers: number[] = [];
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

type Watched = { name: string; column: string };

/** Tells how old what changes is when it is painted in the column, and whether the row under the pointer stays. */
export async function measurePaints(
  { page, floor }: MovingList,
  { name, column }: Watched,
  change: () => Promise<Left[]>,
): Promise<void> {
  const { x, y, height } = (await page.locator('tbody tr').nth(3).boundingBox()) ?? { x: 0, y: 0, height: 0 };
  const pointer = { x: x + 20, y: y + height / 2 };
  await page.mouse.move(pointer.x, pointer.y);
  const probe = await watchPaints(page, column, pointer);
  const startMs = performance.now();
  const left = await change();
  const perSecond = left.length / ((performance.now() - startMs) / 1000);
  await pause(REST_MS);
  const { paints, hold } = await probe.jsonValue();
  const ages = agesOnScreen(left, paints);
  say(`  ${name}: ${left.length} changes at ${perSecond.toFixed(0)}/s, ${paints.length} cells painted, ${inMs(ages)}`);
  const of = 'a page paints a change of its own';
  const question = `frame to painted cell, ${name}`;
  tell({
    question: `${question}: p95`,
    ...ms(quantile(ages, 0.95), P95_MS_MAX),
    floor: { figure: floor.p95, of },
  });
  if (ages.length < FEWEST_FOR_P99) return;
  tell({
    question: `${question}: p99`,
    ...ms(quantile(ages, 0.99), P99_MS_MAX),
    floor: { figure: floor.p99, of },
  });
  const still: Pick<Stated, 'budget'> = { budget: { atMost: 0 } };
  tell({ question: `${question}: other rows under the pointer`, figure: hold.strangers, unit: '', ...still });
  tell({ question: `${question}: its row moved by`, figure: hold.movedPx, unit: 'px', ...still });
}

function ms(figure: number, atMost: number): Pick<Stated, 'figure' | 'unit' | 'budget'> {
  return { figure, unit: 'ms', budget: { atMost } };
}

export const MANY = `${CHANGES_PER_SECOND} changes/s on ten rows`;

/** `CHANGES_PER_SECOND` of random rows. */
export function changeMany(list: MovingList, seconds: number): Promise<Left[]> {
  return changeWhile(list, (nth) => nth < seconds * CHANGES_PER_SECOND);
}

type Changed = Pick<MovingList, 'product' | 'rows'>;

/** As many a second, until `signal` is aborted. */
export async function changeUntil(list: Changed, signal: AbortSignal): Promise<void> {
  await changeWhile(list, () => !signal.aborted);
}

async function changeWhile({ product, rows }: Changed, goesOn: (nth: number) => boolean): Promise<Left[]> {
  const left: Left[] = [];
  const startMs = performance.now();
  for (let nth = 0; goesOn(nth); nth += 1) {
    const earlyMs = startMs + (nth * 1000) / CHANGES_PER_SECOND - performance.now();
    if (earlyMs >= 1) await pause(earlyMs);
    changeNext(product, rows[Math.floor(Math.random() * rows.length)], left);
  }
  await Promise.all(rows.map(({ underWay }) => underWay));
  return left;
}

/** Moves a row's price by a cent as soon as its change before has been answered, and notes when that has left. */
function changeNext(product: RunningProduct, row: MovingRow | undefined, left: Left[]): void {
  if (row === undefined) return;
  row.underWay = row.underWay.then(async () => {
    row.cents = row.cents === LAST_CENTS ? FIRST_CENTS : row.cents + 1;
    await product.control('book', bookAt(row.tokenId, row.cents));
    left.push({ rowId: row.id, value: (row.cents / 100).toFixed(4), atMs: Date.now() });
  });
}
