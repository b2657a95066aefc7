/** Divides the holdings of batches into whole sets and the rest. */
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { type MarketId, PAYS_BY_ITSELF, VENUE_NAMES } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { venueIn } from '../../platform/database/columns.ts';
import { literals } from '../../platform/database/literals.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ACTIVE_STATUSES } from '../orders/batch-store.ts';
import { heldShares, isHolding } from './rules.ts';

/** More positions than an account holds outside of whole sets. */
const LOOSE_MAX = 2000;

const HELD = sql`select distinct batch_id from batch_orders where side = 'buy' and filled_size > sold_size`;
const IS_HELD = sql`${isHolding(sql`b`)} and not b.simulated`;

/** `markets`: of which the batches still hold shares. */
export type LockedSets = { markets: readonly MarketId[]; usd: Usd };

/**
 * The payout still due for whole sets, of batches of one choice of markets together: the profit of a batch counts it, and is
 * without it what its trades have brought and taken.
 */
export async function readLockedSets(db: Db): Promise<LockedSets[]> {
  const { rows } = (await db.execute(sql`
    select moved.markets, sum(b.actual_profit - moved.usd)::text as usd
    from (${HELD}) held join batches b on b.id = held.batch_id, lateral (
      select coalesce(sum(case side when 'sell' then filled_cost - fee else -(filled_cost + fee) end), 0) as usd,
        array_agg(distinct market_id) filter (where side = 'buy' and filled_size > sold_size) as markets
      from batch_orders where batch_id = b.id
    ) moved
    where ${IS_HELD} and b.actual_profit is not null group by moved.markets`)) as unknown as {
    rows: { markets: MarketId[]; usd: string }[];
  };
  return rows.map(({ markets, usd }) => ({ markets, usd: Number(usd) as Usd }));
}

export async function readLocked(db: Db): Promise<Usd> {
  return (await readLockedSets(db)).map(({ usd }) => usd).reduce(addUsd, USD_ZERO);
}

const PAYING_VENUES = VENUE_NAMES.filter((venue) => PAYS_BY_ITSELF[venue]);

/** The payout of resolved markets for held shares that still have to be redeemed by a call. */
export async function readRedeemable(db: Db): Promise<Usd> {
  const { rows } = (await db.execute(sql`
    select coalesce(sum(floor(${heldShares(sql`o`)}::numeric * o.resolved_value / 1000000)), 0)::text as usd
    from batch_orders o join batches b on b.id = o.batch_id
    where o.side = 'buy' and o.filled_size > o.sold_size and o.resolved_value > 0 and ${IS_HELD}
      and ${venueIn(sql`o.market_id`)} not in (${literals(PAYING_VENUES)})`)) as unknown as {
    rows: { usd: string }[];
  };
  return Number(rows[0]?.usd ?? 0) as Usd;
}

/** `boughtFor`: what shares have cost that wait for the rest of a set being bought; null of others. */
export type LooseShares = {
  position: Omit<Position, 'leg'>;
  shares: Shares;
  resolvedValue: Price | null;
  boughtFor: Usd | null;
};

/** A batch buys one leg a moment before another: until that counts as leg risk, it is no loss. */
const IS_BUYING = sql`held.status in (${literals(ACTIVE_STATUSES)}) and held.leg_risk_notified_at is null`;

/**
 * Shares that no whole set of their batch needs, and those that contracts handed out for others: for none of a set that still counts
 * as whole, because the rest of its conversion is under way.
 */
export async function readLooseShares(db: Db): Promise<LooseShares[]> {
  const { rows } = (await db.execute(sql`
    with held as (select b.* from (${HELD}) held join batches b on b.id = held.batch_id where ${IS_HELD}), loose as (
      select (each ->> 'orderId')::uuid as order_id, (each ->> 'shares')::bigint as shares,
        case when ${IS_BUYING} then (each ->> 'atRisk')::bigint end as bought_for
      from held, jsonb_array_elements(held.unhedged -> 'positions') each where held.unhedged is not null
      union all
      select o.id, ${heldShares(sql`o`)}, null from held join batch_orders o on o.batch_id = held.id
      where o.side = 'buy' and o.chain_step_id is not null and o.chain_step_id is distinct from held.split_step_id
        and not exists (
          select from batch_orders taken join batch_orders waiting
            on waiting.batch_id = taken.batch_id and waiting.sale_id = taken.sale_id
          where taken.batch_id = o.batch_id and taken.side = 'sell' and taken.chain_step_id = o.chain_step_id
            and waiting.chain_step_id is not null and waiting.status = 'processing')
    )
    select o.market_id, o.outcome, max(o.resolved_value)::text as resolved_value, sum(loose.shares)::text as shares,
      sum(loose.bought_for)::text as bought_for
    from loose join batch_orders o on o.id = loose.order_id where loose.shares > 0
    group by o.market_id, o.outcome, loose.bought_for is null order by sum(loose.shares) desc limit ${LOOSE_MAX}`)) as unknown as {
    rows: (Record<'market_id' | 'outcome' | 'shares', string> &
      Record<'resolved_value' | 'bought_for', string | null>)[];
  };
  return rows.map((row) => ({
    position: { marketId: row.market_id as MarketId, outcome: row.outcome },
    shares: Number(row.shares) as Shares,
    resolvedValue: row.resolved_value === null ? null : (Number(row.resolved_value) as Price),
    boughtFor: row.bought_for === null ? null : (Number(row.bought_for) as Usd),
  }));
}
