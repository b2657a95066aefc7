import { BATCH_SORTS } from '@dutchbook/contract/batches.ts';
import { BATCH_SCREEN_SORTS } from '@dutchbook/contract/list-values.ts';
import { ORDER_SORTS } from '@dutchbook/contract/orders.ts';
import { type SQLWrapper, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainedSteps } from '../database/explained-steps.fixture.ts';
import { type BatchFilter, pageOfBatches } from '../orders/batch-store.ts';
import { countOfOrders, type OrderFilter, pageOfOrders } from '../orders/store.ts';
import { openTestRuntime, type TestRuntime } from '../test-runtime.ts';

const BATCHES = 4000;
const PAGE = { skip: 20, limit: 10 };
const LOOKED_AT_MAX = 200;
const SORT_ORDERS = ['asc', 'desc'] as const;
const BATCH_FILTERS: readonly BatchFilter[] = [{ minOrders: 1 }, { canRetry: false }, { status: 'completed' }];
/** Few, many and none. */
const ORDER_FILTERS: readonly OrderFilter[] = [{ status: 'open' }, { status: 'failed' }, { status: 'rejected' }];
/** What the screens sort by. */
const BATCHES_BY_INDEX: ReadonlySet<string> = new Set(BATCH_SCREEN_SORTS);
const ORDERS_BY_INDEX: ReadonlySet<string> = new Set(['id', 'batch_id', 'opportunity_id', 'created_at']);

/** Two of a thousand batches are under way, one in three failed, of two in three the opportunity is there; each has two orders of one attempt. */
async function fill({ runtime: { db } }: TestRuntime): Promise<void> {
  await db.execute(sql`
    insert into batches (id, opportunity_id, status, expected_orders, total_orders, order_size, target_price, target_profit,
      actual_profit, retry_count, automatic, simulated, settings, execution_started_at, execution_completed_at, created_at,
      updated_at, last_error, cancel_requested_at, unknown_orders)
    select gen_random_uuid(), gen_random_uuid(),
      case when n % 500 = 0 then 'processing' when n % 3 = 0 then 'failed' else 'completed' end, 2, n % 3,
      n % 9, n % 7, n % 5, case when n % 2 = 0 then n % 6 end, n % 4, n % 2 = 0, n % 5 = 0, '{}',
      case when n % 3 > 0 then now() + n * interval '1 s' end, case when n % 3 > 1 then now() + n * interval '1 s' end,
      now() + n * interval '1 s', now() + n % 9 * interval '1 s', case when n % 3 = 0 then 'Error ' || n % 40 end,
      case when n % 7 = 0 then now() end, n % 2
    from generate_series(1, ${BATCHES}) as n`);
  await db.execute(sql`
    insert into opportunities (id, created_at, updated_at, market_combinations, target_price, active, content_hash)
    select opportunity_id, created_at, created_at, '[]', 1, false, id::text from batches where total_orders > 0`);
  await db.execute(
    sql`insert into opportunity_prices (opportunity_id, edited_at) select id, updated_at from opportunities`,
  );
  await db.execute(sql`
    insert into batch_orders (id, batch_id, opportunity_id, leg, ordinal, market_id, market_name, token_id, outcome, side,
      size, price, fee_rate, status, filled_size, filled_cost, fee, attempt_count, sells_order_id, sold_size, error,
      created_at, updated_at)
    select gen_random_uuid(), b.id, b.opportunity_id, n, n, 'market ' || n, 'Will it? ' || n, 'token ' || n, 'Yes',
      case n when 1 then 'buy' else 'sell' end, 5, 100, 0,
      case b.status when 'processing' then 'open' when 'failed' then 'failed' else 'filled' end,
      b.order_size, b.order_size * 50, n, n, case n when 2 then b.id end, 0, b.last_error, b.created_at, b.updated_at
    from batches b cross join generate_series(1, 2) as n`);
  await db.execute(sql`
    insert into attempts (id, order_id, batch_id, order_hash, salt, payload, size, price, status, created_at, updated_at)
    select gen_random_uuid(), id, batch_id, id::text, '1', '{}', size, price,
      case status when 'open' then 'open' when 'failed' then 'rejected' else 'matched' end, created_at, updated_at
    from batch_orders`);
  await db.execute(sql`analyze`);
}

describe('a page', () => {
  let test: TestRuntime;
  beforeAll(async () => {
    test = await openTestRuntime();
    await fill(test);
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
    const sorts = steps.filter((step) => step['Node Type'].endsWith('Sort'));
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

  it('of all orders is counted without reading those that buy one by one', async () => {
    const steps = await explainedSteps(test.runtime.db, countOfOrders(test.runtime.db, {}));
    expect(mostRows(steps)).toBeLessThanOrEqual(BATCHES);
  });
});

function mostRows(steps: Awaited<ReturnType<typeof explainedSteps>>): number {
  return Math.max(...steps.map((step) => step['Actual Rows'] * step['Actual Loops']));
}
