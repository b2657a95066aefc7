// How old is a price when a person sees it? The whole product runs with the list of opportunities open in a browser,
// while the simulated exchange's books change 200 times a second, on random ones of the ten rows shown. Counted from the
// exchange's answer to the change, by when its frame has left, to the painted cell that shows it or a later one.
// Budget: p95 400 ms, p99 700 ms. A second run changes one quiet row at a time: with nothing to wait for, it should paint at once.
// A third lets one row come up to its trigger and fall again, and counts until its status says so.
// The list is sorted by what changes, and the row under the pointer has to stay: 0 strangers, 0 px.
//
//     node_modules/.bin/node bench/screen-freshness.ts [seconds]
import { setTimeout as pause } from 'node:timers/promises';
import type { Left } from './screen/ages.ts';
import { launchBrowser } from './screen/browser.ts';
import {
  bookAt,
  changeMany,
  changeNext,
  MANY,
  type MovingList,
  measurePaints,
  openMovingList,
} from './screen/moving-list.ts';
import { runProduct } from './screen/running-product.ts';

const SECONDS = Number(process.argv[2] ?? 4);
const QUIET_CHANGES = 12;
const QUIET_MS = 400;
/** Of a target price of 50: 11 % profit, which is not too good to be true, and none. */
const TRIGGERING_CENTS = 45;
const FALLEN_CENTS = 60;
/** By when every process has taken notice of an edit. */
const NOTICED_MS = 2500;

await using product = await runProduct();
const browser = await launchBrowser();
try {
  const list = await openMovingList(product, browser);
  await measurePaints(list, { name: MANY, column: 'Current Price' }, () => changeMany(list, SECONDS));
  await measurePaints(list, { name: 'one quiet row at a time', column: 'Current Price' }, () => changeFew(list));
  await measurePaints(list, { name: 'a row that triggers and falls', column: 'Status' }, () => crossTrigger(list));
} finally {
  await browser.close();
}

async function changeFew({ rows }: MovingList): Promise<Left[]> {
  const left: Left[] = [];
  for (let nth = 0; nth < QUIET_CHANGES; nth += 1) {
    const row = rows[nth % rows.length];
    changeNext(product, row, left);
    await row?.underWay;
    await pause(QUIET_MS + 30 * Math.random());
  }
  return left;
}

/** Nothing is bought: what is measured is the way of a trigger to the screen. */
async function crossTrigger({ rows: [row] }: MovingList): Promise<Left[]> {
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
