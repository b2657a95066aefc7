import { batch } from '@dutchbook/contract/batches.ts';
import { orderStatus } from '@dutchbook/contract/orders.ts';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../platform/runtime/runtime.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { DEFAULT_SETTINGS } from '../execution/runner/runner.fixture.ts';
import { listBatches } from '../orders/batch-store.ts';
import { orderGroups } from '../orders/groups.ts';
import { listOrders } from '../orders/store.ts';
import { batches, batchOrders } from '../orders/table.ts';

const BATCH_STATUSES = batch.shape.status.options;
const ORDER_STATUSES = orderStatus.options;
const PAGE = { skip: 0, limit: 1000 } as const;
const SORT_ORDERS = ['asc', 'desc'] as const;

type BatchInsert = typeof batches.$inferInsert;
type OrderInsert = typeof batchOrders.$inferInsert;

/** One for each way from a status to a status; of those that are active there is one for an opportunity. */
function rowsOf({ runtime: { clock, random } }: TestRuntime): { ofBatches: BatchInsert[]; ofOrders: OrderInsert[] } {
  const instants = { createdAt: clock.now(), updatedAt: clock.now() };
  const ofBatches = BATCH_STATUSES.flatMap((status) =>
    BATCH_STATUSES.map(() => ({
      id: random.uuid(),
      opportunityId: random.uuid(),
      status,
      expectedOrders: 1,
      orderSize: sharesFromText('5'),
      targetPrice: priceFromText('1'),
      targetProfit: USD_ZERO,
      automatic: false,
      simulated: false,
      settings: DEFAULT_SETTINGS,
      ...instants,
    })),
  );
  const [first] = ofBatches;
  if (first === undefined) throw new Error('there is no status');
  const ofOrders = ORDER_STATUSES.flatMap((status) =>
    ORDER_STATUSES.map(() => ({
      id: random.uuid(),
      batchId: first.id,
      opportunityId: first.opportunityId,
      leg: 1,
      ordinal: 0,
      marketId: 'market',
      marketName: 'Will it happen?',
      tokenId: '101',
      outcome: 'Yes',
      side: 'buy' as const,
      size: sharesFromText('5'),
      price: priceFromText('0.5'),
      feeRate: fractionFromText('0'),
      status,
      filledSize: sharesFromText('0'),
      filledCost: USD_ZERO,
      fee: USD_ZERO,
      ...instants,
    })),
  );
  return { ofBatches, ofOrders: ofOrders.map((order, ordinal) => ({ ...order, ordinal })) };
}

/** The nth of a kind goes on to the status that its place stands for, with a profit and filled shares of its own. */
async function moveOn(db: Db, { ofBatches, ofOrders }: ReturnType<typeof rowsOf>): Promise<void> {
  for (const [place, { id }] of ofBatches.entries()) {
    const status = BATCH_STATUSES[place % BATCH_STATUSES.length];
    const actualProfit = place % 5 === 0 ? null : usdFromText(String((place * 7) % 11));
    await db.update(batches).set({ status, actualProfit }).where(eq(batches.id, id));
  }
  for (const [place, { id }] of ofOrders.entries()) {
    const status = ORDER_STATUSES[place % ORDER_STATUSES.length];
    const filledSize = sharesFromText(String(1 + ((place * 7) % 11)));
    await db
      .update(batchOrders)
      .set({ status, filledSize, error: `Error ${place % 3}` })
      .where(eq(batchOrders.id, id));
  }
}

/** Reads while all rows change again and again, each time all of them at once, until that was done a number of times. */
async function whileAllChange(change: () => Promise<unknown>, read: () => Promise<void>): Promise<void> {
  let isOver = false;
  const changes = async () => {
    for (let round = 0; round < CHANGES; round += 1) await change();
    isOver = true;
  };
  const reads = async () => {
    while (!isOver) await read();
  };
  await Promise.all([changes(), reads()]);
}

const CHANGES = 25;

function expectInOrder<Row extends { id: string }>(
  rows: readonly Row[],
  valueIn: (row: Row) => string | number | null,
  sortOrder: (typeof SORT_ORDERS)[number],
  count: number,
): void {
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
  const values = rows.map(valueIn);
  const known = values.filter((value) => value !== null);
  const rising = known.toSorted((one, other) => (one < other ? -1 : Number(one > other)));
  const unknown = Array(values.length - known.length).fill(null);
  expect(values).toEqual([...(sortOrder === 'asc' ? rising : rising.toReversed()), ...unknown]);
}

/** Short pages, one after the other, are the whole list. */
async function expectPagesToJoin(
  read: (page: { skip: number; limit: number }) => Promise<{ rows: unknown[]; count: number }>,
): Promise<void> {
  const whole = await read(PAGE);
  const pages: unknown[] = [];
  for (let skip = 0; skip < whole.count; skip += 7) pages.push(...(await read({ skip, limit: 7 })).rows);
  expect(pages).toEqual(whole.rows);
}

describe('sorted lists of batches and orders', () => {
  it.each([...SORT_ORDERS])('of several pages miss and repeat nothing, %s', async (sortOrder) => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const rows = rowsOf(test);
    await db.insert(batches).values(rows.ofBatches);
    await db.insert(batchOrders).values(rows.ofOrders);
    await moveOn(db, rows);
    for (const sortBy of ['actual_profit_usd', 'is_final', 'can_retry', 'status'] as const) {
      await expectPagesToJoin((page) => listBatches(db, {}, { ...page, sortBy, sortOrder }));
    }
    for (const sortBy of ['average_price', 'error', 'sells_order_id'] as const) {
      await expectPagesToJoin((page) => listOrders(db, {}, { ...page, sortBy, sortOrder }));
    }
  });

  it('serve batches with the filters and in the order of the values they show, while these change', async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const { ofBatches } = rowsOf(test);
    await db.insert(batches).values(
      ofBatches.map((row, place) => ({
        ...row,
        status: 'failed' as const,
        actualProfit: usdFromText(String(1 + place)),
      })),
    );
    const change = () =>
      db.execute(sql`update batches set actual_profit = -actual_profit,
        status = case status when 'failed' then 'canceled' else 'failed' end`);
    const page = { skip: 0, limit: ofBatches.length + 1, sortBy: 'actual_profit_usd', sortOrder: 'asc' } as const;
    await whileAllChange(change, async () => {
      const all = await listBatches(db, {}, page);
      expectInOrder(all.rows, ({ actualProfit }) => actualProfit, 'asc', ofBatches.length);
      const failed = await listBatches(db, { status: 'failed' }, page);
      expect(new Set([...failed.rows.map(({ status }) => status), 'failed'])).toEqual(new Set(['failed']));
      expect([0, ofBatches.length]).toContain(failed.rows.length);
      expect(failed.count).toBe(failed.rows.length);
    });
  });

  it('serve orders with the filters and in the order of the values they show, while these change', async () => {
    await using test = await openTestRuntime();
    const { db, clock } = test.runtime;
    const { ofBatches, ofOrders } = rowsOf(test);
    const [first, second] = ofBatches;
    if (first === undefined || second === undefined) throw new Error('there are no two batches');
    await db.insert(batches).values([first, second]);
    await db.insert(batchOrders).values(
      ofOrders.map((row, place) => ({
        ...row,
        batchId: (place * 2 < ofOrders.length ? first : second).id,
        status: 'filled' as const,
        filledSize: sharesFromText(String(1 + place)),
      })),
    );
    const change = () =>
      db.execute(sql`update batch_orders set filled_size = 1000000000 - filled_size,
        status = case status when 'filled' then 'canceled' else 'filled' end`);
    const page = { skip: 0, limit: ofOrders.length + 1, sortBy: 'filled_size', sortOrder: 'asc' } as const;
    await whileAllChange(change, async () => {
      const all = await listOrders(db, {}, page);
      expectInOrder(all.rows, ({ filledSize }) => filledSize, 'asc', ofOrders.length);
      const filled = await listOrders(db, { status: 'filled' }, page);
      expect(filled.rows.every(({ status }) => status === 'filled')).toBe(true);
      expect([0, ofOrders.length]).toContain(filled.rows.length);
      expect(filled.count).toBe(filled.rows.length);
      const { data } = await orderGroups({ db, clock }, {}, page, { withSummaries: true });
      expectInOrder(
        data.flatMap(({ orders }) => orders),
        (order) => order.filled_size,
        'asc',
        ofOrders.length,
      );
    });
  });
});
