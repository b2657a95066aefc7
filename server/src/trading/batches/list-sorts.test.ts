import { BATCH_SORTS, batch } from '@dutchbook/contract/batches.ts';
import { ORDER_SORTS } from '@dutchbook/contract/orders.ts';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeOpportunities } from '../../market/opportunities/stored.fixture.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import type { TestRuntime } from '../../test-runtime.ts';
import { DEFAULT_SETTINGS } from '../execution/runner/runner.fixture.ts';
import { registerOrders } from '../orders/routes.ts';
import { batches, batchOrders } from '../orders/table.ts';
import { registerBatches } from './routes.ts';

const STATUSES = batch.shape.status.options;
/** Of each status one of every mixture of what else decides whether a batch can be retried. */
const BATCHES = STATUSES.length * 16;
const TEXTS = ['b', 'A', 'C', null, 'a', 'B'] as const;
/** Averages that differ only before they are rounded, one of a cost that a bigint cannot scale up, and none. */
const FILLS = [
  { side: 'buy', filledSize: '3', filledCost: '1.000001' },
  { side: 'buy', filledSize: '3', filledCost: '1.000002' },
  { side: 'sell', filledSize: '3', filledCost: '1.000003' },
  { side: 'sell', filledSize: '3', filledCost: '1.000004' },
  { side: 'buy', filledSize: '0', filledCost: '0' },
  { side: 'sell', filledSize: '3', filledCost: '1.000005' },
  { side: 'buy', filledSize: '40000000', filledCost: '20000000' },
] as const;

type BatchInsert = typeof batches.$inferInsert;
type OrderInsert = typeof batchOrders.$inferInsert;

/** Rows that all show the same prove nothing of their order. */
const FILL_IT = 'its values in `batchRow` or `orderRows` of this test have to differ';

const oneOf = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value;

function batchRow({ runtime: { clock, random } }: TestRuntime, index: number): BatchInsert {
  const mixture = Math.floor(index / STATUSES.length);
  const later = (seconds: number) => instantFromMs(clock.now() + seconds * 1000);
  const isWorn = (mixture & 1) > 0;
  return {
    id: random.uuid(),
    opportunityId: random.uuid(),
    name: oneOf([null, 'b · No', 'A · Yes', 'c'], index),
    status: oneOf(STATUSES, index),
    expectedOrders: 2 + (index % 3),
    totalOrders: index % 4,
    orderSize: sharesFromText(String(5 + (index % 7))),
    sizeBoundedBy: oneOf([null, 'margin', 'cash', 'depth'] as const, mixture),
    seriesId: index % 3 === 0 ? null : random.uuid(),
    clipNumber: index % 3 === 0 ? null : 1 + (index % 5),
    targetPrice: priceFromText(oneOf(['0.9', '1', '0.95'], index)),
    targetProfit: usdFromText(String(index % 5)),
    actualProfit: oneOf([null, usdFromText('-1.5'), usdFromText('2'), USD_ZERO], mixture),
    retryCount: isWorn ? 2 : 1,
    maxRetries: isWorn ? 2 : oneOf([3, 2], index % 3),
    automatic: index % 3 === 0,
    simulated: index % 5 === 0,
    settings: { ...DEFAULT_SETTINGS, CLIPS_MAX: 1 + (index % 4) },
    releasedAt: oneOf([later(2), null, later(1)], mixture),
    executionStartedAt: oneOf([null, later(5), later(3), later(4)], mixture),
    executionCompletedAt: oneOf([later(7), null, later(6)], mixture),
    createdAt: later(index % 11),
    updatedAt: later(index % 13),
    lastError: oneOf(TEXTS, index),
    cancelRequestedAt: index % 7 === 0 ? later(1) : null,
    unknownOrders: index % 3,
    saleUnderWay: (mixture & 4) > 0,
  };
}

function orderRows({ runtime: { random } }: TestRuntime, of: BatchInsert, index: number): OrderInsert[] {
  const isSold = (Math.floor(index / STATUSES.length) & 8) > 0;
  return [0, 1].map((ordinal) => {
    const place = index * 2 + ordinal;
    const { side, filledSize, filledCost } = oneOf(FILLS, place);
    return {
      id: random.uuid(),
      batchId: of.id,
      opportunityId: of.opportunityId,
      leg: ordinal + 1,
      ordinal,
      marketId: oneOf(TEXTS, place) ?? 'c',
      marketName: oneOf(TEXTS, place + 1) ?? 'c',
      tokenId: oneOf(['103', '101', '102'], place),
      outcome: oneOf(['no', 'Yes', 'NO'], place),
      side,
      size: sharesFromText(String(3 + (place % 5))),
      price: priceFromText(oneOf(['0.4', '0.35', '0.5'], place)),
      feeRate: fractionFromText('0'),
      status: oneOf(['pending', 'filled', 'canceled', 'failed'], index),
      filledSize: sharesFromText(filledSize),
      filledCost: usdFromText(filledCost),
      fee: usdFromText(oneOf(['0', '0.02', '0.01'], index)),
      attemptCount: place % 4,
      sellsOrderId: side === 'sell' ? random.uuid() : null,
      chainStepId: place % 3 === 0 ? random.uuid() : null,
      submissionId: place % 3 === 0 ? random.uuid() : null,
      submissionPurpose: place % 3 === 0 ? oneOf(['redeem', 'cash_now'] as const, place) : null,
      soldSize: isSold && ordinal === 1 ? sharesFromText(oneOf(['1', '2'], index)) : SHARES_ZERO,
      error: oneOf(TEXTS, place),
      createdAt: of.createdAt,
      updatedAt: of.updatedAt,
    };
  });
}

/** Half of the batches are of an opportunity that is deleted. */
async function fill(test: TestRuntime): Promise<void> {
  const { db, clock } = test.runtime;
  const rows = Array.from({ length: BATCHES }, (_, index) => batchRow(test, index));
  const kept = rows.filter((_, index) => (Math.floor(index / STATUSES.length) & 2) > 0);
  await db.insert(batches).values(rows);
  await db.insert(batchOrders).values(rows.flatMap((row, index) => orderRows(test, row, index)));
  await storeOpportunities(
    db,
    kept.map(({ opportunityId }) => ({
      id: opportunityId,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      marketCombinations: [],
      targetPrice: priceFromText('1'),
      active: false,
      contentHash: opportunityId,
    })),
  );
}

type Served = { id: string; batch_id?: string } & Record<string, unknown>;
type Value = string | number | null;

/** As it is compared: text in small letters, and no before yes. */
function comparable(served: unknown): Value {
  if (typeof served === 'boolean') return Number(served);
  return typeof served === 'string' ? served.toLowerCase() : (served as number | null);
}

function compared(one: Value, other: Value): number {
  if (one === null || other === null || one === other) return 0;
  return one < other ? -1 : 1;
}

function inOrder(rows: readonly Served[], sortBy: string, sortOrder: 'asc' | 'desc'): Served[] {
  const sign = sortOrder === 'asc' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [value, another] = [comparable(one[sortBy]), comparable(other[sortBy])];
    const unknownLast = Number(value === null) - Number(another === null);
    return unknownLast || sign * (compared(value, another) || compared(one.id, other.id));
  });
}

function byBatch(rows: readonly Served[]): Served[] {
  return [...Map.groupBy(rows, ({ batch_id }) => batch_id).values()].flat();
}

describe('every sort of a list', () => {
  let site: TestApp;
  let headers: { authorization: string };
  beforeAll(async () => {
    site = await openTestApp({ variables: { VENUE: 'simulated' } });
    registerBatches(site.app, { runtime: site.test.runtime, quotes: { current: () => [] } });
    registerOrders(site.app, { runtime: site.test.runtime, placing: { wake: () => {} } });
    ({ headers } = await site.signedIn());
    await fill(site.test);
  });
  afterAll(() => site[Symbol.asyncDispose]());

  async function list<Row>(path: string, query: string): Promise<Row[]> {
    const [status, { data }] = await ask(site, headers, 'GET', `/arbitrage/${path}?limit=1000&${query}`);
    expect(status).toBe(200);
    return data as Row[];
  }
  const idsOf = (rows: readonly Served[]) => rows.map(({ id }) => id);

  it.each(BATCH_SORTS)('batches by %s come as what is served of them says, both ways', async (sortBy) => {
    const all = await list<Served>('batches', '');
    expect(all).toHaveLength(BATCHES);
    expect(new Set(all.map((row) => comparable(row[sortBy]))).size, FILL_IT).toBeGreaterThan(1);
    for (const sortOrder of ['asc', 'desc'] as const) {
      const rows = await list<Served>('batches', `sort_by=${sortBy}&sort_order=${sortOrder}`);
      expect(idsOf(rows), sortOrder).toEqual(idsOf(inOrder(all, sortBy, sortOrder)));
    }
  });

  it.each(ORDER_SORTS)('orders by %s come as what is served of them says, both ways, also by batch', async (sortBy) => {
    const all = await list<Served>('orders', '');
    expect(all).toHaveLength(BATCHES * 2);
    expect(new Set(all.map((row) => comparable(row[sortBy]))).size, FILL_IT).toBeGreaterThan(1);
    for (const sortOrder of ['asc', 'desc'] as const) {
      const query = `sort_by=${sortBy}&sort_order=${sortOrder}`;
      const wanted = inOrder(all, sortBy, sortOrder);
      expect(idsOf(await list('orders', query)), sortOrder).toEqual(idsOf(wanted));
      const groups = await list<{ orders: Served[] }>('orders', `${query}&group_by_batch=true`);
      const together = groups.flatMap(({ orders }) => orders);
      expect(idsOf(together), `${sortOrder} by batch`).toEqual(idsOf(byBatch(wanted)));
    }
  });
});
