import type { LimitState, TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { type Instant, instantToIso, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { TradingControls } from '../parts.ts';
import type { Db, Runtime } from '../runtime.ts';
import { ownOrders } from './own-orders.ts';
import { mayTake, type Taking } from './spendable.ts';
import { UNDECIDED_ATTEMPTS } from './table.ts';

export type LimitUse = Pick<LimitState, 'placedToday' | 'openExposure'>;

type LimitParts = { runtime: Pick<Runtime, 'clock'>; controls: TradingControls };

/** What the limit gates, and the one of our own orders, need to know, without the batch that asks. */
export async function limitState(
  db: Db,
  parts: LimitParts,
  ownBatchId?: string,
  limits: TradingLimits = parts.controls.current().limits,
): Promise<LimitState> {
  return { ...(await limitsInUse(db, parts, limits, ownBatchId)), ownOrders: await ownOrders(db, ownBatchId) };
}

/** The same but for our own orders; asks the database only where a limit depends on it. */
async function limitsInUse(
  db: Db,
  { runtime, controls }: LimitParts,
  limits: TradingLimits,
  ownBatchId?: string,
): Promise<Omit<LimitState, 'ownOrders'>> {
  const { limitsRequired } = controls;
  const use = dependsOnUse(limits) ? await limitUse(db, runtime.clock.now(), ownBatchId) : UNUSED;
  return { limits, limitsRequired, ...use, spentBefore: [] };
}

/** Whether one of these limits asks what was spent before. */
export function dependsOnUse({ perDay, openExposure }: TradingLimits): boolean {
  return perDay !== null || openExposure !== null;
}

export const UNUSED: LimitUse = { placedToday: USD_ZERO, openExposure: USD_ZERO };

/**
 * Dollars, fees included, of the buys of all batches but simulated ones. For the day, what each attempt sent since
 * midnight UTC took, or may still take, and what may yet be sent of orders that are recorded. For the exposure, whenever
 * they were sent, what has not been sold of it. A holding whose market has settled still counts as exposure, since
 * settlements are not known here; it errs high.
 */
export async function limitUse(db: Db, now: Instant, ownBatchId?: string): Promise<LimitUse> {
  // One statement: an attempt that ends between two would be counted twice or not at all.
  const answer = await db.execute(useQuery(now, ownBatchId));
  return useIn((answer as unknown as { rows: UseRow[] }).rows);
}

/** What the rows of `useQuery` come to. */
export function useIn(rows: UseRow[]): LimitUse {
  const total = (of: UseRow[]) => of.reduce((sum, row) => addUsd(sum, amountOf(row)), USD_ZERO);
  return {
    placedToday: total(rows.filter(({ today }) => today)),
    openExposure: total(rows.filter(({ held }) => held)),
  };
}

/** Either an attempt, or an order, that may still take shares, or a sum of what was taken. Drivers write bigints as text. */
export type UseRow = { today: boolean; held: boolean } & (
  | { taken: string; size: null; price: null; fee_rate: null; fee_step: null }
  | { taken: null; size: string; price: string; fee_rate: string; fee_step: string }
);

function amountOf(row: UseRow): Usd {
  if (row.taken !== null) return Number(row.taken) as Usd;
  const { size, price, fee_rate: feeRate, fee_step: feeStep } = row;
  const taking = { size: Number(size), price: Number(price), feeRate: Number(feeRate), feeStep: Number(feeStep) };
  return mayTake(taking as Taking);
}

/**
 * `standing` attempts may still take shares: they have not ended, or have without all their fills having been reported.
 * An order none of whose attempts stands is exposed with what is unsold of it; one that has any, attempt by attempt.
 */
export function useQuery(now: Instant, ownBatchId: string | null = null): SQL {
  const since = sql`${instantToIso(startOfUtcDay(now))}::timestamptz`;
  const undecided = sql.raw(UNDECIDED_ATTEMPTS.map((status) => `'${status}'`).join(', '));
  return sql`
    with sent_today as (select id, order_id from attempts where sent_at >= ${since}),
    bought as materialized (
      select o.id, o.size, o.price, o.fee_rate, o.fee_step, o.status, o.filled_size, o.sold_size, o.filled_cost + o.fee as spent,
        b.status <> 'sold' and b.sold_at is null as held
      from batch_orders o join batches b on b.id = o.batch_id
      where not b.simulated and o.side = 'buy' and b.id is distinct from ${ownBatchId}::uuid
        and (b.status <> 'sold' and b.sold_at is null or o.id in (select order_id from sent_today))
    ),
    unsettled as (
      select id from attempts where order_id in (
        select id from bought where status in ('pending', 'processing', 'open', 'partially_filled'))
    ),
    tried as materialized (
      select a.order_id, a.size, a.price, o.fee_rate, o.fee_step, o.held, reported.spent,
        coalesce(a.sent_at >= ${since}, a.status = 'prepared') as today,
        a.status in (${undecided}) or coalesce(a.matched_size > reported.size, false) as standing
      from attempts a join bought o on o.id = a.order_id, lateral (
        select coalesce(sum(f.size), 0) as size,
          coalesce(sum(f.cost + f.fee) filter (where f.settlement <> 'failed'), 0) as spent
        from fills f where f.batch_id = a.batch_id and f.attempt_id = a.id) reported
      where a.id in (select id from sent_today union select id from unsettled)
    ),
    open_orders as (select distinct order_id from tried where standing)
    select today, held, size::text, price::text, fee_rate::text, fee_step::text, null as taken from tried where standing
    union all
    select today, held, size::text, price::text, fee_rate::text, fee_step::text, null
    from (select *, true as today from bought o where status = 'pending'
      and not exists (select 1 from attempts a where a.order_id = o.id)) unsigned
    union all
    select today, held, null, null, null, null, sum(spent)::text
    from (select today, held and order_id in (select order_id from open_orders) as held, spent
      from tried where not standing) ended
    group by 1, 2
    union all
    select false, true, null, null, null, null,
      sum(ceil(spent::numeric * (filled_size - sold_size) / filled_size))::text
    from bought
    where held and filled_size > sold_size and id not in (select order_id from open_orders)
    having count(*) > 0`;
}
