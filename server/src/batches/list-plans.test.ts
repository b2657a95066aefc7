import { BATCH_SORTS } from '@dutchbook/contract/batches.ts';
import { ORDER_SORTS } from '@dutchbook/contract/orders.ts';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOfOrders } from '../orders/store.ts';
import { explainedSteps } from '../world/explained-steps.fixture.ts';
import { openTestWorld, type TestWorld, testDatabases } from '../world/test-world.ts';
import { isHalvedSort, isOwnSort, pageOfBatches } from './store.ts';

const BATCHES = 4000;
const PAGE = { skip: 20, limit: 10 };
const LOOKED_AT_MAX = 200;
const FEW_MANY_OR_NONE = ['open', 'failed', 'rejected'] as const;

/** Two of a thousand batches are under way, one in three failed, of two in three the opportunity is there; each has two orders. */
async function fill({ world: { db } }: TestWorld): Promise<void> {
  await db.execute(sql`
    insert into batches (id, opportunity_id, status, expected_orders, total_orders, order_size, target_price, target_profit,
      actual_profit, retry_count, automatic, simulated, settings, execution_started_at, execution_completed_at, created_at,
      updated_at, last_error, cancel_requested_at, orders_in_doubt)
    select gen_random_uuid(), gen_random_uuid(),
      case when n % 500 = 0 then 'processing' when n % 3 = 0 then 'failed' else 'completed' end, 2, n % 3,
      n % 9, n % 7, n % 5, case when n % 2 = 0 then n end, n % 4, n % 2 = 0, n % 5 = 0, '{}',
      case when n % 3 > 0 then now() + n * interval '1 s' end, case when n % 3 > 1 then now() + n * interval '1 s' end,
      now() + n * interval '1 s', now() + n % 9 * interval '1 s', case when n % 3 = 0 then 'Error ' || n % 40 end,
      case when n % 7 = 0 then now() end, n % 2
    from generate_series(1, ${BATCHES}) as n`);
  await db.execute(sql`
    insert into opportunities (id, created_at, updated_at, market_combinations, target_price, active, triggered, content_hash)
    select opportunity_id, created_at, created_at, '[]', 1, false, false, id::text from batches where total_orders > 0`);
  await db.execute(sql`
    insert into batch_orders (id, batch_id, opportunity_id, leg, ordinal, market_id, market_name, token_id, outcome, side,
      size, price, fee_rate, status, filled_size, filled_cost, fee, attempt_count, sells_order_id, sold_size, error,
      created_at, updated_at)
    select gen_random_uuid(), b.id, b.opportunity_id, n, n, 'market ' || n, 'Will it? ' || n, 'token ' || n, 'Yes',
      case n when 1 then 'buy' else 'sell' end, 5, 100, 0,
      case b.status when 'processing' then 'open' when 'failed' then 'failed' else 'filled' end,
      b.order_size, b.order_size * 50, n, n, case n when 2 then b.id end, 0, b.last_error, b.created_at, b.updated_at
    from batches b cross join generate_series(1, 2) as n`);
  await db.execute(sql`analyze`);
}

describe.each(testDatabases)('a page on %s', (kind) => {
  let test: TestWorld;
  beforeAll(async () => {
    test = await openTestWorld(kind);
    await fill(test);
  });
  afterAll(() => test.close());

  /** How many rows its largest step looked at. */
  async function readByIndex(page: SQL): Promise<number> {
    const steps = await explainedSteps(test.world.db, page);
    expect(steps.map((step) => step['Node Type'])).not.toContain('Seq Scan');
    return Math.max(...steps.map((step) => step['Actual Rows'] * step['Actual Loops']));
  }

  it.each(BATCH_SORTS.filter((sortBy) => !isOwnSort(sortBy)))(
    'of batches by %s is read from an index, whatever the direction and the filter',
    async (sortBy) => {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const page = { ...PAGE, sortBy, sortOrder };
        const lookedAt = await readByIndex(pageOfBatches({}, page));
        if (!isHalvedSort(sortBy)) expect(lookedAt).toBeLessThanOrEqual(LOOKED_AT_MAX);
        await readByIndex(pageOfBatches({ minOrders: 1 }, page));
        await readByIndex(pageOfBatches({ canRetry: false }, page));
        await readByIndex(pageOfBatches({ status: 'completed' }, page));
      }
    },
  );

  it.each(ORDER_SORTS)(
    'of orders by %s is read from an index, whatever the direction and the filter',
    async (sortBy) => {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const page = { ...PAGE, sortBy, sortOrder };
        expect(await readByIndex(pageOfOrders({}, page))).toBeLessThanOrEqual(LOOKED_AT_MAX);
        for (const status of FEW_MANY_OR_NONE) await readByIndex(pageOfOrders({ status }, page));
      }
    },
  );
});
