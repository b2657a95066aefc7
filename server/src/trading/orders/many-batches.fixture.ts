import { sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';

/**
 * Two of a thousand batches are under way, one in three failed, of two in three the opportunity is there; each has two orders of one attempt, which
 * was filled where the batch is completed. */
export async function fillBatches(db: Db, count: number): Promise<void> {
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
    from generate_series(1, ${count}) as n`);
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
  await db.execute(sql`
    insert into fills (trade_id, order_hash, attempt_id, batch_id, price, size, cost, fee, settlement, matched_at, created_at)
    select id::text, order_hash, id, batch_id, price, size, size * price, 0, 'confirmed', created_at, created_at
    from attempts where status = 'matched'`);
}
