/** Whose shares may leave now: confirmed, unsold, in no order of ours, and there by the chain. */

import type { BatchStatus } from '@dutchbook/contract/batches.ts';
import type { ExitLot } from '@dutchbook/engine/exit/allot.ts';
import { costOfPart } from '@dutchbook/engine/order/under-way.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { minShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { inArray, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { readUnderWay } from '../under-way/held-tokens.ts';
import { IN_SALE, isHolding } from '../under-way/rules.ts';

/** The shares of one order of a batch that are free by our books, and what they cost with fees. */
export type OrderLot = ExitLot & {
  batchId: string;
  batchStatus: BatchStatus;
  opportunityId: string;
  leg: number;
  marketId: MarketId;
  marketName: string;
  outcome: string;
  /** All that the order holds, and all that it ever bought. */
  held: Shares;
  bought: Shares;
  /** What a share pays, where it is known that its market has resolved. */
  resolvedValue: Price | null;
  /** The part of `held` that has left the account by no order of ours, as last found. */
  goneSize: Shares;
};

/**
 * Which orders are meant: those of one batch, or of these markets, or all; or those of all batches that have ended, and that
 * is not retried automatically any more, because that was before `retriedSince` or they have used their retries.
 */
export type LotScope = { batchId: string } | { marketIds: readonly MarketId[] } | { retriedSince: Instant } | 'held';

/**
 * Oldest batch first. Simulated batches hold nothing, nor do those that are sold out. An offset has attempts and fills found for one order after the other, by their index:
 * joined, they may be read whole for each.
 */
export async function readLots(db: Db, scope: LotScope): Promise<OrderLot[]> {
  const { rows } = (await db.execute(sql`
    with ${IN_SALE}
    select o.id, o.batch_id, o.token_id, o.market_id, o.market_name, o.outcome, o.leg, o.opportunity_id, b.status,
      (o.filled_size - o.sold_size)::text as held, o.resolved_value::text, o.gone_size::text,
      (select coalesce(sum(f.size), 0) from (select id from attempts where order_id = o.id offset 0) a, lateral (
        select size from fills where batch_id = o.batch_id and attempt_id = a.id and settlement = 'confirmed' offset 0
      ) f)::text as confirmed,
      (select coalesce(sum(shares), 0) from in_sale where sells_order_id = o.id)::text as in_sale,
      o.sold_size::text, o.filled_size::text, (o.filled_cost + o.fee)::text as cost
    from batch_orders o join batches b on b.id = o.batch_id
    where o.side = 'buy' and o.filled_size > o.sold_size and ${isHolding(sql`b`)} and not b.simulated
      and ${inScope(scope)}
    order by b.created_at, b.id, o.ordinal`)) as unknown as { rows: LotRow[] };
  return rows.map((row) => {
    const held = Number(row.held);
    const free = Math.max(0, Math.min(held, Number(row.confirmed) - Number(row.sold_size)) - Number(row.in_sale));
    return {
      orderId: row.id,
      batchId: row.batch_id,
      batchStatus: row.status,
      opportunityId: row.opportunity_id,
      leg: row.leg,
      marketId: row.market_id,
      marketName: row.market_name,
      tokenId: row.token_id,
      outcome: row.outcome,
      held: held as Shares,
      bought: Number(row.filled_size) as Shares,
      resolvedValue: row.resolved_value === null ? null : (Number(row.resolved_value) as Price),
      goneSize: Number(row.gone_size) as Shares,
      shares: free as Shares,
      cost: costOfPart(Number(row.cost) as Usd, free as Shares, Number(row.filled_size) as Shares),
    };
  });
}

type LotRow = Record<'id' | 'batch_id' | 'token_id' | 'market_id' | 'market_name' | 'outcome', string> &
  Record<
    'opportunity_id' | 'held' | 'confirmed' | 'in_sale' | 'sold_size' | 'filled_size' | 'cost' | 'gone_size',
    string
  > & {
    leg: number;
    status: BatchStatus;
    resolved_value: string | null;
  };

function inScope(scope: LotScope): SQL {
  if (scope === 'held') return sql`true`;
  if ('batchId' in scope) return sql`o.batch_id = ${scope.batchId}::uuid`;
  if ('marketIds' in scope) return inArray(sql`o.market_id`, [...scope.marketIds]);
  return sql`b.status not in ('pending', 'processing', 'retry_pending') and (
    b.status not in ('failed', 'partial_completed') or b.retry_count >= b.max_retries
    or b.execution_completed_at < ${instantToIso(scope.retriedSince)}::timestamptz)`;
}

/** Shares of each token in sell orders, and in unconfirmed sales: the chain still has them. */
export async function readTaken(db: Db): Promise<ReadonlyMap<string, Shares>> {
  const { rows } = (await db.execute(sql`
    with ${IN_SALE} select token_id, sum(shares)::text as shares from in_sale group by token_id`)) as unknown as {
    rows: { token_id: string; shares: string }[];
  };
  const taken = new Map(rows.map(({ token_id, shares }) => [token_id, Number(shares) as Shares]));
  for (const [tokenId, shares] of (await readUnderWay(db)).leaving)
    taken.set(tokenId, ((taken.get(tokenId) ?? 0) + shares) as Shares);
  return taken;
}

/** The lots cut to what the chain has of their tokens beside what is taken; the first ones go first. */
export function cutToChain(
  lots: readonly OrderLot[],
  balances: ReadonlyMap<string, Shares>,
  taken: ReadonlyMap<string, Shares>,
): OrderLot[] {
  const left = new Map(
    [...balances].map(([tokenId, shares]) => [tokenId, Math.max(0, shares - (taken.get(tokenId) ?? 0)) as Shares]),
  );
  return lots.map((lot) => {
    const there = left.get(lot.tokenId) ?? SHARES_ZERO;
    const shares = minShares(lot.shares, there);
    left.set(lot.tokenId, (there - shares) as Shares);
    return { ...lot, shares, cost: lot.shares === 0 ? lot.cost : costOfPart(lot.cost, shares, lot.shares) };
  });
}
