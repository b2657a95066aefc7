/** What all batches hold together by their fills, token by token, and the dollars that are under way. */
import { takerFee } from '@dutchbook/engine/opportunity/fee.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { UNDECIDED_ATTEMPTS } from './table.ts';

export type HeldToken = {
  tokenId: string;
  marketId: string;
  marketName: string;
  outcome: string;
  /** Bought and not sold, nor gone otherwise. */
  shares: Shares;
  /** Of those, in trades that the venue has not confirmed yet. */
  settling: Shares;
  /** Of those, in sell orders that have not ended. */
  inSale: Shares;
  /** What they cost with fees; of an order sold in part, its share of that. */
  cost: Usd;
  /** What a share pays since its market has resolved, where that has been found. */
  resolvedValue: Price | null;
  /** The batches that bought them, the latest first. */
  batchIds: string[];
};

/**
 * `inOrders`: what open buys may still take, with fees. `settling`: what sales bring after fees that are matched and not
 * confirmed, and `leaving` their shares by token, which the venue still counts as held.
 */
export type UnderWay = { inOrders: Usd; settling: Usd; leaving: ReadonlyMap<string, Shares> };

/** More tokens than an account holds. */
const TOKENS_MAX = 2000;
const BATCHES_OF_TOKEN_MAX = 20;

const UNDECIDED = sql.raw(UNDECIDED_ATTEMPTS.map((status) => `'${status}'`).join(', '));

/**
 * Whether an order, by the name of its table, may still take or sell shares: one that was filled in part goes on saying so when its
 * rest is gone.
 */
export function isUnderWay(order: SQL): SQL {
  return sql`(${order}.status in ('pending', 'processing', 'open', 'partially_filled') and (
    ${order}.attempt_count = 0 or exists (
      select 1 from attempts a where a.order_id = ${order}.id and (
        a.status in (${UNDECIDED}) or a.matched_size > (
          select coalesce(sum(f.size), 0) from fills f where f.batch_id = a.batch_id and f.attempt_id = a.id)))))`;
}

/** Those that cost most first; simulated batches hold nothing. */
export async function readHeldTokens(db: Db): Promise<HeldToken[]> {
  const { rows } = (await db.execute(sql`
    with held as (
      select o.id, o.batch_id, o.token_id, o.market_id, o.market_name, o.outcome, o.created_at, o.resolved_value,
        o.filled_size - o.sold_size - o.gone_size as shares,
        ceil((o.filled_cost + o.fee)::numeric * (o.filled_size - o.sold_size - o.gone_size) / o.filled_size) as cost
      from batch_orders o join batches b on b.id = o.batch_id
      where o.side = 'buy' and o.filled_size - o.gone_size > o.sold_size and not b.simulated
    ), unsettled as (
      select o.token_id, sum(f.size) as shares
      from fills f join attempts a on a.id = f.attempt_id join batch_orders o on o.id = a.order_id
      where f.settlement not in ('confirmed', 'failed') and o.side = 'buy'
      group by o.token_id
    ), in_sale as (
      select o.token_id, sum(o.size - o.filled_size) as shares
      from batch_orders o join batches b on b.id = o.batch_id
      where o.side = 'sell' and ${isUnderWay(sql`o`)} and not b.simulated
      group by o.token_id
    )
    select h.token_id, min(h.market_id) as market_id, min(h.market_name) as market_name, min(h.outcome) as outcome,
      sum(h.shares)::text as shares, sum(h.cost)::text as cost, max(h.resolved_value)::text as resolved_value,
      least(coalesce(min(u.shares), 0), sum(h.shares))::text as settling,
      least(coalesce(min(s.shares), 0), sum(h.shares))::text as in_sale,
      (array_agg(h.batch_id order by h.created_at desc))[1:${sql.raw(String(BATCHES_OF_TOKEN_MAX))}] as batch_ids
    from held h left join unsettled u using (token_id) left join in_sale s using (token_id)
    group by h.token_id order by sum(h.cost) desc, h.token_id limit ${TOKENS_MAX}`)) as unknown as { rows: HeldRow[] };
  return rows.map((row) => ({
    tokenId: row.token_id,
    marketId: row.market_id,
    marketName: row.market_name,
    outcome: row.outcome,
    shares: Number(row.shares) as Shares,
    settling: Number(row.settling) as Shares,
    inSale: Number(row.in_sale) as Shares,
    cost: Number(row.cost) as Usd,
    resolvedValue: row.resolved_value === null ? null : (Number(row.resolved_value) as Price),
    batchIds: [...new Set(row.batch_ids)],
  }));
}

type HeldRow = Record<'token_id' | 'market_id' | 'market_name' | 'outcome', string> &
  Record<'shares' | 'settling' | 'in_sale' | 'cost', string> & { resolved_value: string | null; batch_ids: string[] };

export async function readUnderWay(db: Db): Promise<UnderWay> {
  // Of what was matched nothing is left to take, also where its trade has failed to settle.
  const { rows: buys } = (await db.execute(sql`
    select a.size - (
        select coalesce(sum(f.size), 0) from fills f where f.batch_id = a.batch_id and f.attempt_id = a.id) as size,
      a.price::text, o.fee_rate::text, o.fee_step::text
    from attempts a join batch_orders o on o.id = a.order_id join batches b on b.id = a.batch_id
    where a.status in (${UNDECIDED}) and o.side = 'buy' and not b.simulated
    union all
    select o.size, o.price::text, o.fee_rate::text, o.fee_step::text
    from batch_orders o join batches b on b.id = o.batch_id
    where o.side = 'buy' and o.status = 'pending' and o.attempt_count = 0 and not b.simulated`)) as unknown as {
    rows: Record<'size' | 'price' | 'fee_rate' | 'fee_step', string>[];
  };
  const { rows: sales } = (await db.execute(sql`
    select o.token_id, sum(f.cost - f.fee)::text as usd, sum(f.size)::text as shares
    from fills f join attempts a on a.id = f.attempt_id join batch_orders o on o.id = a.order_id
    where f.settlement not in ('confirmed', 'failed') and o.side = 'sell'
    group by o.token_id`)) as unknown as { rows: Record<'token_id' | 'usd' | 'shares', string>[] };
  return {
    inOrders: buys.reduce((sum, row) => {
      const [size, price] = [Number(row.size) as Shares, Number(row.price) as Price];
      const schedule = { rate: Number(row.fee_rate) as Fraction, step: Number(row.fee_step) as Usd };
      return addUsd(sum, addUsd(notional(size, price, 'up'), takerFee(size, price, schedule)));
    }, USD_ZERO),
    settling: sales.reduce((sum, { usd }) => addUsd(sum, Number(usd) as Usd), USD_ZERO),
    leaving: new Map(sales.map(({ token_id, shares }) => [token_id, Number(shares) as Shares])),
  };
}
