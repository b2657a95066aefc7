/** What became cash on each day adds up to what is paid, after two hundred random batches and what happened to them. */

import type { exportBatchResults } from '@dutchbook/contract/batch-results.ts';
import type { listReportDays, readReport } from '@dutchbook/contract/report.ts';
import { utcDayOf } from '@dutchbook/engine/batch/realised.ts';
import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { MICRO, mulDiv } from '@dutchbook/units/micro.ts';
import { parse } from 'csv-parse/sync';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { readOverview } from '../../status/overview.ts';
import { attempts, batches, batchOrders, fills } from '../../trading/orders/table.ts';
import { callUndated, keepResults } from './keep-results.ts';
import { openReportSite, type ReportSite } from './report.fixture.ts';
import { batchResults, cashDays } from './table.ts';

const START = instantFromIso('2026-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const BATCHES = 200;

const settlement = fc.constantFrom('confirmed', 'confirmed', 'confirmed', 'matched', 'failed');
const shares = fc.integer({ min: 1, max: 20 * MICRO });
const price = fc.integer({ min: 10_000, max: 990_000 });
const fee = fc.nat({ max: 30_000 });
/** A sale at a price, or what a contract pays of what has won, was voided or was merged. */
const sale = fc.record({
  ...{ part: fc.integer({ min: 1, max: 10 }), fee, settlement, afterHours: fc.nat({ max: 24 * 20 }) },
  kind: fc.constantFrom<'sell' | number>('sell', 'sell', MICRO, MICRO / 2, 640_000),
  price,
});
const leg = fc.record({
  buys: fc.array(fc.record({ shares, price, fee, settlement }), { minLength: 1, maxLength: 2 }),
  sales: fc.array(sale, { maxLength: 3 }),
  resolved: fc.constantFrom(null, null, null, 0, MICRO / 2, MICRO),
  gone: fc.constantFrom(0, 0, 0, 2 * MICRO),
  foundAfterHours: fc.nat({ max: 24 * 20 }),
});
const story = fc.record({
  hour: fc.nat({ max: 24 * 190 }),
  legs: fc.array(leg, { minLength: 1, maxLength: 3 }),
  automatic: fc.boolean(),
  isSoldOut: fc.constantFrom(false, false, false, true),
});
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;
type Leg = Story['legs'][number];
type Trade = { size: number; cost: number; fee: number; settlement: string; at: Instant };

const uuid = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
const later = (at: Instant, hours: number) => (at + hours * HOUR_MS) as Instant;

let site: ReportSite;
beforeAll(async () => {
  site = await openReportSite({ VENUE: 'simulated' });
  const stories = fc.sample(story, { numRuns: BATCHES, seed: 22 });
  const made = stories.map(rowsOf);
  const { db } = site.test.runtime;
  await db.insert(batches).values(made.map(({ batch }) => batch));
  await db.insert(batchOrders).values(made.flatMap(({ orders }) => orders));
  await db.insert(attempts).values(made.flatMap((each) => each.attempts));
  await db.insert(fills).values(made.flatMap((each) => each.fills));
  await keepAll();
});
afterAll(() => site[Symbol.asyncDispose]());

async function keepAll(): Promise<void> {
  while (
    await keepResults({ runtime: site.test.runtime, quotes: { current: () => [] }, partitions: { held: () => null } })
  );
}

type Made = {
  batch: typeof batches.$inferInsert;
  orders: (typeof batchOrders.$inferInsert)[];
  attempts: (typeof attempts.$inferInsert)[];
  fills: (typeof fills.$inferInsert)[];
};

let ids = 0;
function rowsOf({ hour, legs, automatic, isSoldOut }: Story): Made {
  ids += 1;
  const id = uuid(ids);
  const at = later(START, hour);
  const isSold = isSoldOut && legs.some(({ sales }) => sales.some((each) => each.settlement !== 'failed'));
  const made: Made = {
    batch: {
      ...{ id, opportunityId: uuid(ids + 100_000), status: 'completed', expectedOrders: legs.length, automatic },
      ...{ orderSize: 20 * MICRO, targetPrice: MICRO, targetProfit: MICRO, simulated: false, settings: {} },
      ...{ soldAt: isSold ? later(at, 24 * 30) : null, createdAt: at, updatedAt: at },
    } as Made['batch'],
    ...{ orders: [], attempts: [], fills: [] },
  };
  for (const [nth, each] of legs.entries()) addLeg(made, each, nth + 1);
  return made;
}

function addLeg(made: Made, { buys, sales, resolved, gone, foundAfterHours }: Leg, nth: number): void {
  const { createdAt: at } = made.batch;
  const found = later(at, foundAfterHours);
  const bought = buys.map(({ shares: size, price: of, ...others }) => ({
    ...others,
    size,
    cost: mulDiv(size, of, MICRO, 'up'),
    at,
  }));
  const holds = {
    resolvedValue: resolved,
    goneSize: gone,
    ...(resolved !== null && { resolvedAt: found }),
    ...(gone > 0 && { goneAt: found }),
  };
  const orderId = addOrder(made, { side: 'buy', leg: nth, ...holds } as never, bought);
  const standing = bought.reduce((sum, each) => sum + (each.settlement === 'failed' ? 0 : each.size), 0);
  for (const { part, kind, price: of, afterHours, ...others } of sales) {
    const size = Math.max(1, Math.floor((standing * part) / 20));
    const cost = mulDiv(size, kind === 'sell' ? of : kind, MICRO, 'down');
    const call = kind === 'sell' ? {} : { chainStepId: uuid(900_000) };
    const sold = { ...others, size, cost, fee: Math.min(others.fee, cost), at: later(at, 1 + afterHours) };
    addOrder(made, { side: 'sell', leg: nth, sellsOrderId: orderId, ...call } as never, [sold]);
  }
}

function addOrder(made: Made, order: Partial<Made['orders'][number]>, trades: readonly Trade[]): string {
  ids += 1;
  const { id: batchId, opportunityId, createdAt, updatedAt } = made.batch;
  const [id, times] = [uuid(ids), { createdAt, updatedAt }];
  const size = trades.reduce((sum, each) => sum + each.size, 0);
  made.orders.push({
    ...{
      id,
      batchId,
      opportunityId,
      ordinal: made.orders.length,
      marketId: 'm',
      marketName: 'M',
      tokenId: 't',
      outcome: 'Yes',
    },
    ...{
      size,
      price: MICRO / 2,
      expectedPrice: MICRO / 2,
      feeRate: 0,
      status: 'filled',
      filledSize: size,
      filledCost: 0,
      fee: 0,
    },
    ...times,
    ...order,
  } as Made['orders'][number]);
  const attempt = { id, orderId: id, batchId, orderHash: id, salt: '1', payload: '', size, price: MICRO / 2, ...times };
  made.attempts.push({ ...attempt, status: 'matched', sentAt: createdAt } as Made['attempts'][number]);
  for (const [nth, { at, ...trade }] of trades.entries()) {
    const settledAt = trade.settlement === 'matched' ? null : later(at, 1);
    const reported = { tradeId: `${id} ${nth}`, orderHash: id, attemptId: id, batchId, price: MICRO / 2 };
    made.fills.push({ ...reported, ...trade, matchedAt: at, createdAt: at, settledAt } as Made['fills'][number]);
  }
  return id;
}

const micro = (value: unknown) => Math.round(Number(value) * MICRO);
const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => unknown) =>
  rows.reduce((sum, row) => sum + micro(of(row)), 0);

const summaryOf = (query: string) => site.ask<z.input<typeof readReport.reply>>(`summary?${query}`);
const daysOf = async (query: string) =>
  (await site.ask<z.input<typeof listReportDays.reply>>(`days?by=cash&${query}`)).days;
async function rowsOfFile(query: string): Promise<Record<string, string>[]> {
  const { status, text } = await site.askRaw(`batches/export-csv?${query}`);
  expect(status).toBe(200);
  return parse(text satisfies z.output<typeof exportBatchResults.reply>, { columns: true });
}

const SPANS = ['', 'since=2026-01-10&until=2026-01-12', 'until=2026-01-20', 'since=2026-02-01', 'automatic=true'];
/** The list of what became cash in the days of a report. */
const byCash = (span: string) => span.replace('since', 'cash_since').replace('until', 'cash_until');

/** @returns what is paid in all */
async function expectToAddUp(): Promise<number> {
  const paid: number[] = [];
  for (const span of SPANS) {
    const [summary, days, rows] = [await summaryOf(span), await daysOf(span), await rowsOfFile(byCash(span))];
    paid.push(micro(summary.paid_usd));
    expect([span, sumOf(days, ({ paid_usd }) => paid_usd)]).toEqual([span, paid.at(-1)]);
    expect([span, sumOf(rows, ({ paid_usd }) => paid_usd)]).toEqual([span, paid.at(-1)]);
  }
  return paid[0] ?? Number.NaN;
}

it('adds up to what is paid of the batches of any span, and so does the file', async () => {
  expect(await expectToAddUp()).not.toBe(0);
  const days = await daysOf('');
  expect(days.length).toBeGreaterThan(50);
  const partly = (await rowsOfFile('is_open=true')).filter(({ paid_usd }) => micro(paid_usd) !== 0);
  expect(partly.length, 'some are sold in part').toBeGreaterThan(20);
});

it('is, day by day, what the batches behind it were paid on it, with what fees and slippage took', async () => {
  const days = await daysOf('');
  for (const served of days.filter((_, nth) => nth % 7 === 0)) {
    const rows = await rowsOfFile(`cash_day=${served.day}`);
    expect(rows).toHaveLength(served.batches);
    for (const name of ['paid_usd', 'fees_usd', 'slippage_usd'] as const)
      expect([served.day, name, sumOf(rows, (row) => row[name])]).toEqual([served.day, name, micro(served[name])]);
    const query = `batches?cash_day=${served.day}&sort_by=paid_usd&sort_order=desc&limit=1000`;
    const { data } = await site.ask<{ data: Record<string, unknown>[] }>(query);
    const listed = data.map(({ paid_usd: paid }) => micro(paid));
    expect(listed).toEqual(rows.map(({ paid_usd: paid }) => micro(paid)).toSorted((a, b) => b - a));
  }
});

it('says of each of 200 days alike what was paid: the summary, the calendar and the overview', async () => {
  const days = await daysOf('');
  const { db } = site.test.runtime;
  let sum = 0;
  for (let nth = 0; nth < 200; nth += 1) {
    const at = later(START, nth * 24 + 5);
    const day = utcDayOf(at);
    const inCalendar = micro(days.find((each) => each.day === day)?.paid_usd ?? 0);
    const summed = micro((await summaryOf(`since=${day}&until=${day}`)).paid_usd);
    expect([day, summed, (await readOverview(db, at)).realised_today_usd]).toEqual([day, inCalendar, inCalendar]);
    sum += summed;
  }
  const untilThen = micro((await summaryOf(`until=${utcDayOf(later(START, 199 * 24))}`)).paid_usd);
  expect(sum).toBe(untilThen);
});

it('is of the days of sales and calls that stand, and of what was found lost', async () => {
  const { rows } = (await site.test.runtime.db.execute(sql`
    select c.batch_id, c.day from ${cashDays} c where c.paid <> 0 and not exists (
      select 1 from fills f join batch_orders o on o.id = f.attempt_id
      where f.batch_id = c.batch_id and o.side = 'sell' and f.settlement <> 'failed' and (f.matched_at at time zone 'UTC')::date = c.day
    ) and not exists (
      select 1 from batch_orders o where o.batch_id = c.batch_id
      and ((o.resolved_at at time zone 'UTC')::date = c.day and o.resolved_value = 0 or (o.gone_at at time zone 'UTC')::date = c.day)
    )`)) as unknown as { rows: unknown[] };
  expect(rows).toEqual([]);
});

it('follows trades that are undone later, and what a version wrote that keeps no days', async () => {
  const before = await expectToAddUp();
  const { db } = site.test.runtime;
  await db.execute(sql`update fills set settlement = 'failed' where hashtext(trade_id) % 5 = 0`);
  await db.update(batches).set({ resultsDue: true });
  await keepAll();
  expect(await expectToAddUp()).not.toBe(before);
  const [dated] = await db.select().from(cashDays).limit(1);
  await db
    .update(batchResults)
    .set({ paidProfit: 77 as never })
    .where(eq(batchResults.batchId, dated?.batchId ?? ''));
  const parts = { runtime: site.test.runtime, quotes: { current: () => [] }, partitions: { held: () => null } };
  await callUndated(parts);
  await keepAll();
  await expectToAddUp();
});
