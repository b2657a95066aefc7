import { OPPORTUNITY_SORTS } from '@dutchbook/contract/opportunities.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { activeBatchOf } from '../../trading/orders/batch-store.ts';
import { batches } from '../../trading/orders/table.ts';
import { DEFAULT_SETTINGS } from '../prices/live-prices.fixture.ts';
import { deleteOpportunity } from './deletion.ts';
import { listOpportunities, readOpportunity, type StoredOpportunity } from './store.ts';
import { storeOpportunities } from './stored.fixture.ts';

const PROFITS = [null, 5, -2, 5, null, 0] as const;
const SOURCES = ['b', 'A', 'C', null, 'a', 'B'] as const;

/** A row that differs from the others only in what lists sort and filter by. */
function row({ runtime }: TestRuntime, index: number): StoredOpportunity {
  const profit = PROFITS[index] ?? null;
  return {
    id: runtime.random.uuid(),
    createdAt: runtime.clock.now(),
    updatedAt: runtime.clock.now(),
    marketCombinations: [{ leg: 1, markets: [{ id: index === 3 ? 'kalshi:m3' : `m${index}`, outcome: 'Yes' }] }],
    targetPrice: priceFromText('1'),
    currentPrice: null,
    feesPerSet: null,
    profitPercentage: profit === null ? null : ((profit * 1_000_000) as Percent),
    ...{ profitUsd: null, maxProfitableSize: null, paysAt: null, about: null },
    annualisedReturn: profit === null ? null : ((profit * 12_000_000) as Percent),
    active: index % 2 === 0,
    triggered: index === 1,
    rises: 0,
    lastChecked: null,
    lastError: null,
    errorCount: 0,
    errorNotifiedAt: null,
    augmentedEvent: false,
    resolution: null,
    source: SOURCES[index] ?? null,
    sourceDetails: null,
    refusal: null,
    relationId: null,
    direction: null,
    basis: null,
    contentHash: `hash ${index}`,
  };
}

describe('listing opportunities', () => {
  let test: TestRuntime;
  beforeAll(async () => {
    test = await openTestRuntime();
    await storeOpportunities(
      test.runtime.db,
      PROFITS.map((_, index) => row(test, index)),
    );
  });
  afterAll(() => test.close());

  const list = (page: Partial<Parameters<typeof listOpportunities>[2]>, filter = {}) =>
    listOpportunities(test.runtime.db, filter, {
      skip: 0,
      limit: 100,
      sortBy: 'created_at',
      sortOrder: 'desc',
      ...page,
    });

  it('puts unknown values last in both directions', async () => {
    const profits = async (sortOrder: 'asc' | 'desc') =>
      (await list({ sortBy: 'profit_percentage', sortOrder })).rows.map(({ profitPercentage }) => profitPercentage);
    expect(await profits('asc')).toEqual([-2_000_000, 0, 5_000_000, 5_000_000, null, null]);
    expect(await profits('desc')).toEqual([5_000_000, 5_000_000, 0, -2_000_000, null, null]);
  });

  it('sorts text without regard to capitals', async () => {
    const { rows } = await list({ sortBy: 'source', sortOrder: 'asc' });
    expect(rows.map(({ source }) => source?.toLowerCase())).toEqual(['a', 'a', 'b', 'b', 'c', undefined]);
  });

  it.each(OPPORTUNITY_SORTS)('breaks ties of %s by id, so that pages neither repeat nor miss a row', async (sortBy) => {
    for (const sortOrder of ['asc', 'desc'] as const) {
      const whole = (await list({ sortBy, sortOrder })).rows.map(({ id }) => id);
      const paged: string[] = [];
      for (let skip = 0; skip < 6; skip += 2) {
        const { rows, count } = await list({ sortBy, sortOrder, skip, limit: 2 });
        expect(count).toBe(6);
        paged.push(...rows.map(({ id }) => id));
      }
      expect(paged).toEqual(whole);
      expect(new Set(paged).size).toBe(6);
    }
  });

  it('answers those of the ids that exist, in its order', async () => {
    const [first, , third] = (await list({})).rows.map(({ id }) => id);
    const ids = [third, test.runtime.random.uuid(), first] as string[];
    const { rows, count } = await list({}, { ids });
    expect([rows.map(({ id }) => id), count]).toEqual([[first, third], 2]);
  });

  it('filters, and counts what the filter leaves', async () => {
    expect(await list({ limit: 1 }, { active: true })).toMatchObject({ count: 3, rows: [{ active: true }] });
    expect(await list({}, { triggered: true })).toMatchObject({ count: 1, rows: [{ contentHash: 'hash 1' }] });
    expect(await list({}, { active: true, triggered: true })).toEqual({ rows: [], count: 0 });
    for (const sortBy of ['created_at', 'profit_percentage'] as const) {
      const at = (venue: 'kalshi' | 'polymarket') => list({ sortBy }, { venue });
      expect(await at('kalshi')).toMatchObject({ count: 1, rows: [{ contentHash: 'hash 3' }] });
      expect(await at('polymarket')).toMatchObject({ count: 5 });
    }
  });
});

describe('deleting an opportunity', () => {
  it('waits for its active batch, and keeps the batches it had', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    const { db, clock, random } = runtime;
    const by = { id: random.uuid() };
    const doomed = row(test, 0);
    await storeOpportunities(db, [doomed]);
    const id = random.uuid();
    await db.insert(batches).values({
      id,
      opportunityId: doomed.id,
      status: 'processing',
      expectedOrders: 1,
      orderSize: SHARES_ZERO,
      targetPrice: doomed.targetPrice,
      targetProfit: USD_ZERO,
      automatic: false,
      simulated: false,
      settings: DEFAULT_SETTINGS,
      createdAt: clock.now(),
      updatedAt: clock.now(),
    });
    expect(await deleteOpportunity(runtime, doomed.id, by, activeBatchOf, async () => {})).toBe('active_batch');
    await db.update(batches).set({ status: 'completed' });
    expect(await deleteOpportunity(runtime, doomed.id, by, activeBatchOf, async () => {})).toBe('deleted');
    expect(await readOpportunity(db, doomed.id)).toBeNull();
    expect(await db.$count(batches)).toBe(1);
    expect(await deleteOpportunity(runtime, doomed.id, by, activeBatchOf, async () => {})).toBe('not_found');
  });
});
