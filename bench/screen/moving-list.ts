/** Opportunities whose prices are moved. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningProduct } from './product.ts';

const CHANGES_PER_SECOND = 200;
/** Tells them from those that the product finds. */
export const SOURCE = 'moved by a bench';
/** A row's prices run through these and begin again: ninety changes until one recurs. */
const FIRST_CENTS = 5;
const LAST_CENTS = 94;

/** A row of the list: its book, the price it was set to last, and the change that is under way. */
export type MovingRow = { id: string; tokenId: string; cents: number; underWay: Promise<void> };

/** A change of one row's value, and when it left, in the order of their time. */
export type Left = { rowId: string; value: string; atMs: number };

/** Opportunities of one position each, too dear to trigger, whose prices only this question moves. */
export async function openRows({ call, exchange }: RunningProduct, count: number): Promise<MovingRow[]> {
  await exchange.pause();
  type Market = { id: string; outcomes: { outcome: string; token_id: string }[] };
  const { data } = (await call('GET', `/markets?limit=${count}`)) as { data: Market[] };
  const opened: MovingRow[] = [];
  for (const { id: marketId, outcomes } of data) {
    const [{ outcome, token_id: tokenId } = { outcome: '', token_id: '' }] = outcomes;
    await setPrice(exchange, tokenId, FIRST_CENTS);
    const { id } = (await call('POST', '/arbitrage/opportunities', {
      market_combinations: [{ leg: 1, markets: [{ id: marketId, outcome }] }],
      target_price: 0.01,
      source: SOURCE,
    })) as { id: string };
    opened.push({ id, tokenId, cents: FIRST_CENTS, underWay: Promise.resolve() });
  }
  return opened;
}

/** Moves prices of random rows, 200 times a second, while `goesOn`. */
export async function moveRows(
  product: RunningProduct,
  rows: readonly MovingRow[],
  goesOn: (nth: number) => boolean,
): Promise<Left[]> {
  const left: Left[] = [];
  const startMs = performance.now();
  for (let nth = 0; goesOn(nth); nth += 1) {
    const earlyMs = startMs + (nth * 1000) / CHANGES_PER_SECOND - performance.now();
    if (earlyMs >= 1) await pause(earlyMs);
    const row = rows[Math.floor(Math.random() * rows.length)];
    if (row !== undefined) moveNext(product, row, left);
  }
  await Promise.all(rows.map(({ underWay }) => underWay));
  return left;
}

/** Moves a row's price by a cent as soon as its change before has been answered, and notes when that has left. */
function moveNext({ exchange }: RunningProduct, row: MovingRow, left: Left[]): void {
  row.underWay = row.underWay.then(async () => {
    row.cents = row.cents === LAST_CENTS ? FIRST_CENTS : row.cents + 1;
    await setPrice(exchange, row.tokenId, row.cents);
    left.push({ rowId: row.id, value: (row.cents / 100).toFixed(4), atMs: Date.now() });
  });
}

function setPrice(exchange: RunningProduct['exchange'], tokenId: string, cents: number) {
  const ask = { price: (cents / 100).toFixed(2), size: '1000' };
  return exchange.setBook(tokenId, [{ price: '0.01', size: '1000' }], [ask]);
}
