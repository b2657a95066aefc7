/** Sums by token what all batches hold by their fills, and the dollars that are under way. */

import { accountAt } from '@dutchbook/engine/order/reserved.ts';
import { type MarketId, type TokenId, VENUE_NAMES, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { literals } from '../../platform/database/literals.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ACTIVE_STATUSES } from '../orders/batch-store.ts';
import { IS_BEHIND, isOneOf, readSums, reservedRows, sumOf } from './reserved-sums.ts';
import { costOfShares, heldShares, IN_SALE, isHolding } from './rules.ts';

export type HeldToken = {
  tokenId: TokenId;
  marketId: MarketId;
  marketName: string;
  outcome: string;
  /** Bought and not sold, nor gone otherwise, by batches that are not sold out. */
  shares: Shares;
  /** Held shares in trades that the venue has not confirmed yet. */
  settling: Shares;
  /** Held shares in sell orders that have not ended. */
  inSale: Shares;
  /** Held shares of batches that still buy: they stay until these have ended. */
  buying: Shares;
  buyingBatchIds: string[];
  /** The cost of the held shares with fees; of an order sold in part, its share of that. */
  cost: Usd;
  /** What a share pays, once its market is found to have resolved. */
  resolvedValue: Price | null;
  /** The batches that bought them, the latest first. */
  batchIds: string[];
  /** The names of those batches, in their order. */
  batchNames: (string | null)[];
};

/** `inOrders`: what open buys may still take, with fees. `settling`: what sales bring after fees that are matched and not confirmed. */
export type CashUnderWay = { inOrders: Usd; settling: Usd };

/** `leaving`: by token, the shares of sales that settle, which the venue still counts as held. */
export type UnderWay = { at: (venue: VenueName) => CashUnderWay; leaving: ReadonlyMap<string, Shares> };

/** More tokens than an account holds. */
const TOKENS_MAX = 2000;
const BATCHES_OF_TOKEN_MAX = 20;

/** Held tokens, the most expensive first; simulated batches hold nothing. */
export async function readHeldTokens(db: Db): Promise<HeldToken[]> {
  const { rows } = (await db.execute(sql`
    with ${IN_SALE}, held as (
      select o.id, o.batch_id, b.name as batch_name, o.token_id, o.market_id, o.market_name, o.outcome, o.created_at, o.resolved_value, h.shares,
        case when b.status in (${literals(ACTIVE_STATUSES)}) then h.shares else 0 end as buying,
        ${costOfShares(sql`o`, sql`h.shares`)} as cost
      from batch_orders o join batches b on b.id = o.batch_id, lateral (select ${heldShares(sql`o`)} as shares) h
      where o.side = 'buy' and o.filled_size > o.sold_size and h.shares > 0 and ${isHolding(sql`b`)} and not b.simulated
    ), unsettled as (
      select o.token_id, sum(f.size) as shares
      from fills f join attempts a on a.id = f.attempt_id join batch_orders o on o.id = a.order_id
      where f.settlement not in ('confirmed', 'failed') and o.side = 'buy'
      group by o.token_id
    ), offered as (select token_id, sum(shares) as shares from in_sale group by token_id)
    select h.token_id, min(h.market_id) as market_id, min(h.market_name) as market_name, min(h.outcome) as outcome,
      sum(h.shares)::text as shares, sum(h.cost)::text as cost, max(h.resolved_value)::text as resolved_value,
      sum(h.buying)::text as buying,
      coalesce((array_agg(distinct h.batch_id) filter (where h.buying > 0))[1:${sql.raw(String(BATCHES_OF_TOKEN_MAX))}], '{}') as buying_batch_ids,
      least(coalesce(min(u.shares), 0), sum(h.shares))::text as settling,
      least(coalesce(min(s.shares), 0), sum(h.shares))::text as in_sale,
      (array_agg(h.batch_id order by h.created_at desc, h.id))[1:${sql.raw(String(BATCHES_OF_TOKEN_MAX))}] as batch_ids,
      (array_agg(h.batch_name order by h.created_at desc, h.id))[1:${sql.raw(String(BATCHES_OF_TOKEN_MAX))}] as batch_names
    from held h left join unsettled u using (token_id) left join offered s using (token_id)
    group by h.token_id order by sum(h.cost) desc, h.token_id limit ${TOKENS_MAX}`)) as unknown as { rows: HeldRow[] };
  return rows.map((row) => ({
    tokenId: row.token_id,
    marketId: row.market_id,
    marketName: row.market_name,
    outcome: row.outcome,
    shares: Number(row.shares) as Shares,
    settling: Number(row.settling) as Shares,
    inSale: Number(row.in_sale) as Shares,
    buying: Number(row.buying) as Shares,
    buyingBatchIds: row.buying_batch_ids,
    cost: Number(row.cost) as Usd,
    resolvedValue: row.resolved_value === null ? null : (Number(row.resolved_value) as Price),
    ...batchesOf(row),
  }));
}

type HeldRow = Record<'token_id' | 'market_id' | 'market_name' | 'outcome', string> &
  Record<'shares' | 'settling' | 'in_sale' | 'buying' | 'cost', string> & {
    resolved_value: string | null;
    batch_ids: string[];
    batch_names: (string | null)[];
    buying_batch_ids: string[];
  };

/** Each batch once: it may have bought a token by several orders. */
function batchesOf({ batch_ids: ids, batch_names: names }: HeldRow): Pick<HeldToken, 'batchIds' | 'batchNames'> {
  const named = new Map(ids.map((id, place) => [id, names[place] ?? null]));
  return { batchIds: [...named.keys()], batchNames: [...named.values()] };
}

const accountsOf = (venue: VenueName) => [accountAt(venue, 'reserved'), accountAt(venue, 'resting')];

/** A column for each venue. */
const IN_ORDERS = sql`select ${sql.join(
  VENUE_NAMES.map((venue) => sql`${sumOf(...accountsOf(venue))} as ${sql.identifier(venue)}`),
  sql`, `,
)}, ${IS_BEHIND} from ${reservedRows(isOneOf(VENUE_NAMES.flatMap(accountsOf)))} e`;

/** In a snapshot, for which `reserveWhatIsBehind` was called. */
export async function readUnderWay(db: Db): Promise<UnderWay> {
  const orders = await readSums<VenueName>(db, IN_ORDERS, { isSnapshot: true });
  const { rows: sales } = (await db.execute(sql`
    select o.token_id, sum(f.cost - f.fee)::text as usd, sum(f.size)::text as shares
    from fills f join attempts a on a.id = f.attempt_id join batch_orders o on o.id = a.order_id
    where f.settlement not in ('confirmed', 'failed') and o.side = 'sell'
    group by o.token_id`)) as unknown as { rows: Record<'token_id' | 'usd' | 'shares', string>[] };
  return {
    at: (venue) => ({
      inOrders: Number(orders[venue]) as Usd,
      settling: sales
        .filter(({ token_id }) => venueOf(token_id) === venue)
        .reduce((sum, { usd }) => addUsd(sum, Number(usd) as Usd), USD_ZERO),
    }),
    leaving: new Map(sales.map(({ token_id, shares }) => [token_id, Number(shares) as Shares])),
  };
}
