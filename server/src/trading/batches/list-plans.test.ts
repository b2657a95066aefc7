import { BATCH_SORTS } from '@dutchbook/contract/batches.ts';
import { BATCH_SCREEN_SORTS } from '@dutchbook/contract/list-values.ts';
import { ORDER_SORTS } from '@dutchbook/contract/orders.ts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainedSteps } from '../../platform/database/explained-steps.fixture.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { type BatchFilter, pageOfBatches } from '../orders/batch-store.ts';
import { fillBatches } from '../orders/many-batches.fixture.ts';
import { countOfOrders, listBatchesOfOrders, type OrderFilter, pageOfOrders } from '../orders/store.ts';

const BATCHES = 4000;
const PAGE = { skip: 20, limit: 10 };
const DEEP = { skip: 1200, limit: 10 };
const DEEP_END = DEEP.skip + DEEP.limit;
const LOOKED_AT_MAX = 200;
const SORT_ORDERS = ['asc', 'desc'] as const;
const BATCH_FILTERS: readonly BatchFilter[] = [{ minOrders: 1 }, { canRetry: false }, { status: 'completed' }];
/** Few, many and none. */
const ORDER_FILTERS: readonly OrderFilter[] = [{ status: 'open' }, { status: 'failed' }, { status: 'rejected' }];
/** What the screens sort by. */
const BATCHES_BY_INDEX: ReadonlySet<string> = new Set(BATCH_SCREEN_SORTS);
const ORDERS_BY_INDEX: ReadonlySet<string> = new Set(['id', 'batch_id', 'opportunity_id', 'created_at']);

describe('a page', () => {
  let test: TestRuntime;
  beforeAll(async () => {
    test = await openTestRuntime();
    await fillBatches(test.runtime.db, BATCHES);
    await test.runtime.db.execute(sql`analyze`);
  });
  afterAll(() => test.close());

  async function expectReadByIndex(page: SQLWrapper, filtered: readonly SQLWrapper[]): Promise<void> {
    const steps = await explainedSteps(test.runtime.db, page);
    expect(mostRows(steps), 'rows looked at: what a screen sorts by has an index').toBeLessThanOrEqual(LOOKED_AT_MAX);
    for (const others of filtered) steps.push(...(await explainedSteps(test.runtime.db, others)));
    expect(steps.map((step) => step['Node Type'])).not.toContain('Seq Scan');
  }

  /** No table is read twice, and of what is read no more is kept than the page needs. */
  async function expectOneBoundedSort(page: SQLWrapper, tables: readonly string[]): Promise<void> {
    const steps = await explainedSteps(test.runtime.db, page);
    // The venues of a row's own legs are sorted for each row by itself.
    const sorts = steps.filter((step) => step['Node Type'].endsWith('Sort') && step['Actual Loops'] === 1);
    // Where an index holds the first value alone, equal ones are sorted as they come.
    const bounded = ['top-N heapsort', 'Incremental Sort'];
    expect(sorts.map((step) => bounded.includes(step['Sort Method'] ?? step['Node Type']))).toEqual([true]);
    expect(sorts.every((step) => step['Actual Rows'] <= PAGE.skip + PAGE.limit)).toBe(true);
    const wholes = steps.filter((step) => step['Node Type'] === 'Seq Scan');
    const read = wholes.map((step) => step['Relation Name'] ?? '');
    expect(tables).toEqual(expect.arrayContaining(read));
    expect(new Set(read).size).toBe(read.length);
  }

  it.each(BATCH_SORTS)(
    'of batches by %s is read from an index or takes one bounded sort, both ways',
    async (sortBy) => {
      for (const sortOrder of SORT_ORDERS) {
        const pageOf = (filter: BatchFilter) => pageOfBatches(test.runtime.db, filter, { ...PAGE, sortBy, sortOrder });
        if (BATCHES_BY_INDEX.has(sortBy)) await expectReadByIndex(pageOf({}), BATCH_FILTERS.map(pageOf));
        else await expectOneBoundedSort(pageOf({}), ['batches']);
      }
    },
  );

  it.each(ORDER_SORTS)('of orders by %s is read from an index or takes one bounded sort, both ways', async (sortBy) => {
    for (const sortOrder of SORT_ORDERS) {
      const pageOf = (filter: OrderFilter) => pageOfOrders(test.runtime.db, filter, { ...PAGE, sortBy, sortOrder });
      if (ORDERS_BY_INDEX.has(sortBy)) await expectReadByIndex(pageOf({}), ORDER_FILTERS.map(pageOf));
      else await expectOneBoundedSort(pageOf({}), ['batch_orders', ...(sortBy === 'simulated' ? ['batches'] : [])]);
    }
  });

  it.each(['created_at', 'updated_at', 'last_error', 'actual_profit_usd', 'can_retry'] as const)(
    'of batches by %s far behind is what the whole list has there, and looks at what else is shown of its own rows alone',
    async (sortBy) => {
      const { db } = test.runtime;
      for (const sortOrder of SORT_ORDERS)
        for (const filter of [{}, { isActive: false }]) {
          const deep = pageOfBatches(db, filter, { ...DEEP, sortBy, sortOrder });
          const whole = await pageOfBatches(db, filter, { skip: 0, limit: DEEP_END, sortBy, sortOrder }).execute();
          expect(await deep.execute()).toEqual(whole.slice(DEEP.skip));
          await expectLookUps(deep, ['opportunities', 'batch_orders'], sortBy === 'can_retry' ? BATCHES : DEEP.limit);
        }
    },
  );

  it.each(['created_at', 'error', 'average_price', 'simulated', 'batch_id'] as const)(
    'of orders by %s far behind is what the whole list has there, and looks at what else is shown of its own rows alone',
    async (sortBy) => {
      const { db } = test.runtime;
      for (const sortOrder of SORT_ORDERS)
        for (const filter of [{}, { status: 'failed' }] as const) {
          const deep = pageOfOrders(db, filter, { ...DEEP, sortBy, sortOrder });
          const whole = await pageOfOrders(db, filter, { skip: 0, limit: DEEP_END, sortBy, sortOrder }).execute();
          expect(await deep.execute()).toEqual(whole.slice(DEEP.skip));
          await expectLookUps(deep, ['attempts'], DEEP.limit);
        }
    },
  );

  it.each([
    [{}, { sortBy: 'created_at', sortOrder: 'desc' }],
    [{}, { sortBy: 'error', sortOrder: 'asc' }],
    [{ status: 'failed' }, { sortBy: 'price', sortOrder: 'asc' }],
    [{ status: 'open' }, { sortBy: 'updated_at', sortOrder: 'desc' }],
  ] as const)('of the batches of orders is in the order of their first ones: %o by %o', async (filter, sorting) => {
    const { db } = test.runtime;
    const orders = await pageOfOrders(db, filter, { skip: 0, limit: 3 * BATCHES, ...sorting }).execute();
    const batchIds = [...new Set(orders.map(({ batchId }) => batchId))];
    for (const skip of [0, 5, Math.max(0, batchIds.length - 5), batchIds.length]) {
      const page = await listBatchesOfOrders(db, filter, { skip, limit: 10, ...sorting });
      expect(page).toEqual({ batchIds: batchIds.slice(skip, skip + 10), count: batchIds.length });
    }
  });

  /** What stands beside the rows of a page. */
  async function expectLookUps(page: SQLWrapper, tables: readonly string[], rows: number): Promise<void> {
    const steps = await explainedSteps(test.runtime.db, page);
    const lookUps = steps.filter((step) => tables.includes(step['Relation Name'] ?? ''));
    expect(lookUps.length).toBeGreaterThan(0);
    expect(Math.max(...lookUps.map((step) => step['Actual Loops']))).toBeLessThanOrEqual(rows);
  }

  it('of all orders is counted without reading those that buy one by one', async () => {
    const steps = await explainedSteps(test.runtime.db, countOfOrders(test.runtime.db, {}));
    expect(mostRows(steps)).toBeLessThanOrEqual(BATCHES);
  });
});

function mostRows(steps: Awaited<ReturnType<typeof explainedSteps>>): number {
  return Math.max(...steps.map((step) => step['Actual Rows'] * step['Actual Loops']));
}
