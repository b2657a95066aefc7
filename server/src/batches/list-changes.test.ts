import { batch } from '@dutchbook/contract/batches.ts';
import { orderStatus } from '@dutchbook/contract/orders.ts';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import { eq, inArray, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { listOrders, listOrdersByBatch } from '../orders/store.ts';
import { DEFAULT_SETTINGS } from '../trading/placing/placing.fixture.ts';
import { batches, batchOrders } from '../world/schema.ts';
import { openTestWorld, type TestWorld, testDatabases } from '../world/test-world.ts';
import type { Db } from '../world/world.ts';
import { listBatches } from './store.ts';

const BATCH_STATUSES = batch.shape.status.options;
const ORDER_STATUSES = orderStatus.options;
const PAGE = { skip: 0, limit: 1000 } as const;
const SORT_ORDERS = ['asc', 'desc'] as const;

type BatchInsert = typeof batches.$inferInsert;
type OrderInsert = typeof batchOrders.$inferInsert;

/** One for each way from a status to a status; of those that are active there is one for an opportunity. */
function rowsOf({ world: { clock, dice } }: TestWorld): { ofBatches: BatchInsert[]; ofOrders: OrderInsert[] } {
  const moments = { createdAt: clock.now(), updatedAt: clock.now() };
  const ofBatches = BATCH_STATUSES.flatMap((status) =>
    BATCH_STATUSES.map(() => ({
      id: dice.uuid(),
      opportunityId: dice.uuid(),
      status,
      expectedOrders: 1,
      orderSize: sharesFromText('5'),
      targetPrice: priceFromText('1'),
      targetProfit: USD_ZERO,
      automatic: false,
      simulated: false,
      settings: DEFAULT_SETTINGS,
      ...moments,
    })),
  );
  const [first] = ofBatches;
  if (first === undefined) throw new Error('there is no status');
  const ofOrders = ORDER_STATUSES.flatMap((status) =>
    ORDER_STATUSES.map(() => ({
      id: dice.uuid(),
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
      ...moments,
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

/** Every row there is stands in its place, once, whatever the list is sorted by. */
async function expectLists(db: Db, wanted: { batches: number; orders: number }): Promise<void> {
  for (const sortOrder of SORT_ORDERS) {
    const byProfit = await listBatches(db, {}, { ...PAGE, sortBy: 'actual_profit_usd', sortOrder });
    expectInOrder(byProfit.rows, ({ actualProfit }) => actualProfit, sortOrder, wanted.batches);
    for (const status of BATCH_STATUSES) {
      const { rows, count } = await listBatches(db, { status }, { ...PAGE, sortBy: 'total_orders', sortOrder });
      expect(rows.map((row) => row.status)).toEqual(Array(count).fill(status));
    }
    const byFilled = await listOrders(db, {}, { ...PAGE, sortBy: 'filled_size', sortOrder });
    expectInOrder(byFilled.rows, ({ filledSize }) => filledSize, sortOrder, wanted.orders);
    const byError = await listOrders(db, {}, { ...PAGE, sortBy: 'error', sortOrder });
    expectInOrder(byError.rows, ({ error }) => error, sortOrder, wanted.orders);
    for (const status of ORDER_STATUSES) {
      const { rows, count } = await listOrders(db, { status }, { ...PAGE, sortBy: 'price', sortOrder });
      expect(rows.map((row) => row.status)).toEqual(Array(count).fill(status));
    }
    const together = await listOrdersByBatch(db, {}, { ...PAGE, sortBy: 'updated_at', sortOrder });
    expect(together.rows).toHaveLength(wanted.orders);
  }
}

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

describe.each(testDatabases)('sorted lists of batches and orders, on %s', (kind) => {
  it('follow every change, from whatever status to whatever other', async () => {
    await using test = await openTestWorld(kind);
    const { db } = test.world;
    const rows = rowsOf(test);
    const [many, manyOrders] = [rows.ofBatches.length, rows.ofOrders.length];
    await db.insert(batches).values(rows.ofBatches);
    await db.insert(batchOrders).values(rows.ofOrders);
    await expectLists(db, { batches: many, orders: manyOrders });
    await moveOn(db, rows);
    await expectLists(db, { batches: many, orders: manyOrders });

    const gone = db.transaction(async (tx) => {
      await tx.update(batchOrders).set({ status: 'filled', filledSize: sharesFromText('99') });
      await tx.delete(batchOrders).where(eq(batchOrders.status, 'filled'));
      throw new Error('not after all');
    });
    await expect(gone).rejects.toThrow('not after all');
    await expectLists(db, { batches: many, orders: manyOrders });

    const some = rows.ofOrders.filter((_, place) => place % 3 === 0).map(({ id }) => id);
    await db.delete(batchOrders).where(inArray(batchOrders.id, some));
    await expectLists(db, { batches: many, orders: manyOrders - some.length });
    await db.execute(sql`truncate batches cascade`);
    await expectLists(db, { batches: 0, orders: 0 });
  });

  it.each([...SORT_ORDERS])('of several pages miss and repeat nothing, %s', async (sortOrder) => {
    await using test = await openTestWorld(kind);
    const { db } = test.world;
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
});
