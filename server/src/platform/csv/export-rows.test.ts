import { parse } from 'csv-parse/sync';
import { and, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { record } from '../../people/notifications/notification.fixture.ts';
import { openActionSite } from '../../trading/batches/actions.fixture.ts';
import { recordedBatch } from '../../trading/execution/runner/runner.fixture.ts';
import { batchOrders } from '../../trading/orders/table.ts';
import { openTestApp } from '../http/app.fixture.ts';
import { csvPieces } from './csv-pieces.ts';

const rowsIn = (text: string) => parse(text, { columns: true }) as Record<string, string>[];

it('writes batches and orders with the values of their lists, those that the filters let through, oldest first', async () => {
  await using site = await openActionSite();
  const { headers } = await site.signedIn();
  const first = await recordedBatch(site.test);
  await site.test.time.advance(1000);
  const second = await recordedBatch(site.test);
  await site.test.runtime.db
    .update(batchOrders)
    .set({ marketName: '=HYPERLINK("x")' })
    .where(and(eq(batchOrders.batchId, first), eq(batchOrders.leg, 1)));
  const exported = async (path: string) => {
    const { statusCode, body, headers: said } = await site.http.inject({ url: `/api/v1/arbitrage/${path}`, headers });
    expect([statusCode, said['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(said['content-disposition']).toMatch(/^attachment; filename="(batches|orders)_2026-01-01.csv"$/);
    return rowsIn(body);
  };
  const batches = await exported('batches/export-csv');
  expect(batches.map(({ id }) => id)).toEqual([first, second]);
  expect(batches[0]).toMatchObject({ status: 'pending', order_size: '10', target_profit_usd: '2', simulated: 'false' });
  expect(await exported(`batches/export-csv?ids=${second}`)).toHaveLength(1);
  expect(await exported('batches/export-csv?status=completed')).toEqual([]);

  const orders = await exported('orders/export-csv?side=buy');
  expect(orders.map(({ batch_id }) => batch_id)).toEqual([first, first, second, second]);
  expect(orders.map(({ market_name }) => market_name)).toContain(`'=HYPERLINK("x")`);
  expect(orders[0]).toMatchObject({ price: '0.4', filled_size: '0', average_price: '', error: '' });
  expect(await exported(`orders/export-csv?q=${second.slice(0, 8)}`)).toHaveLength(2);
  const refused = await site.call('GET', '/arbitrage/orders/export-csv?ids=7,8');
  expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'ids'] }] } });
});

it('ends each row of a file of paper trading with the fill model, and writes none elsewhere', async () => {
  const variables = { VENUE: 'paper', POLYMARKET_CLOB_URL: 'http://127.0.0.1:1', PAPER_FILLS: 'touch' };
  for (const [marked, given] of [
    [true, { variables }],
    [false, {}],
  ] as const) {
    await using app = await openTestApp(given);
    const { headers } = await app.signedIn();
    await record(app, 'Number 1');
    const { body } = await app.http.inject({ url: '/api/v1/notifications/records/export-csv', headers });
    const [columns = [], row = []] = parse(body) as string[][];
    expect(columns.includes('paper_fills')).toBe(marked);
    if (marked) expect([columns.at(-1), row.at(-1)]).toEqual(['paper_fills', 'touch']);
  }
});

it('writes notifications, many of them in pieces, each once', async () => {
  await using app = await openTestApp();
  const { headers } = await app.signedIn();
  for (let nth = 0; nth < 3; nth += 1) await record(app, `Number ${nth}`);
  await app.test.runtime.db.execute(
    `insert into notifications (id, notification_type, message, status, created_at, updated_at, data)
     select gen_random_uuid(), 'opportunity_triggered', 'at one time ' || n, 'sent', '2026-02-01', now(), '{}'
     from generate_series(1, 1000) n`,
  );
  const { body } = await app.http.inject({ url: '/api/v1/notifications/records/export-csv', headers });
  const rows = rowsIn(body);
  expect(rows.slice(0, 3).map(({ message }) => message)).toEqual(['Number 0', 'Number 1', 'Number 2']);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1003);
  const found = await app.http.inject({ url: '/api/v1/notifications/records/export-csv?q=number%201', headers });
  expect(rowsIn(found.body).map(({ message }) => message)).toEqual(['Number 1']);
});

it('gives each piece of several files a tick of the event loop of its own', async () => {
  let tick = 0;
  let isOver = false;
  const count = () => {
    tick += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const records = Array.from({ length: 1000 }, (_, nth) => [String(nth)]);
  const ticks: number[] = [];
  const write = async () => {
    for await (const piece of csvPieces(records)) if (piece.length > 0) ticks.push(tick);
  };
  await Promise.all([write(), write(), write()]);
  isOver = true;
  expect(ticks.length).toBeGreaterThan(30);
  expect(new Set(ticks).size).toBe(ticks.length);
});
