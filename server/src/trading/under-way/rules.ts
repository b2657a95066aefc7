/** The rules of `engine/src/order/under-way.ts` in SQL, and which batches they have to be asked of. Tables are named by `SQL`. */
import { type SQL, sql } from 'drizzle-orm';
import { literals } from '../../platform/database/literals.ts';
import { ACTIVE_STATUSES } from '../orders/batch-store.ts';
import { UNDECIDED_ATTEMPTS } from '../orders/table.ts';

const ACTIVE = literals(ACTIVE_STATUSES);
const UNDECIDED = literals(UNDECIDED_ATTEMPTS);

/** The ids of batches of which an order may still take or sell shares. */
export const UNDER_WAY = sql`select id from batches where status in (${ACTIVE})
  union select id from batches where sale_under_way
  union select batch_id from attempts where status in (${UNDECIDED})
  union select batch_id from reserved_entries where account in ('reserved', 'resting') and amount <> 0`;

/** A row of `size`: the shares of the trades of an attempt that were reported, those that failed to settle too. */
export function reportedOf(attempt: SQL): SQL {
  return sql`(select coalesce(sum(f.size), 0) as size from fills f
    where f.batch_id = ${attempt}.batch_id and f.attempt_id = ${attempt}.id)`;
}

/** The shares that an attempt may still buy or sell, `reported` being the size of its trades. */
export function unreportedOf(attempt: SQL, reported: SQL): SQL {
  return sql`greatest(0, case when ${attempt}.status in (${UNDECIDED}) then ${attempt}.size
    when ${attempt}.status in ('canceled', 'matched') then coalesce(${attempt}.matched_size, 0) else 0 end - ${reported})`;
}

/** Whether a batch holds shares. One that is sold out holds none: fills beyond its sales are dust, or the venue's fee. */
export function isHolding(batch: SQL): SQL {
  return sql`(${batch}.status <> 'sold' and ${batch}.sold_at is null)`;
}

/** The shares of a buy that its batch holds while `isHolding`. */
export function heldShares(order: SQL): SQL {
  return sql`greatest(0, ${order}.filled_size - ${order}.sold_size - ${order}.gone_size)`;
}

/** The cost of `shares` of a buy with its fees, rounded up. */
export function costOfShares(order: SQL, shares: SQL): SQL {
  return sql`ceil((${order}.filled_cost + ${order}.fee)::numeric * ${shares} / ${order}.filled_size)`;
}

/**
 * Common table expression: the sell orders, but simulated ones, of which shares may still be sold, and how many. What a contract
 * converts is an order without attempts until it is booked.
 */
export const IN_SALE = sql`in_sale as materialized (
    select s.id, s.sells_order_id, s.token_id, case when tries.count = 0 then s.size else tries.shares end as shares
    from (${UNDER_WAY}) live, lateral (select simulated from batches where id = live.id offset 0) b,
      lateral (select * from batch_orders where batch_id = live.id and side = 'sell' offset 0) s, lateral (
        select count(*) as count, coalesce(sum(${unreportedOf(sql`a`, sql`reported.size`)}), 0) as shares
        from (select * from attempts where order_id = s.id offset 0) a, lateral ${reportedOf(sql`a`)} reported
      ) tries
    where not b.simulated and case when tries.count = 0 then s.status in ('pending', 'processing') else tries.shares > 0 end
  )`;
