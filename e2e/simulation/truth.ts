/** What the exchange has and the database says, as plain integers of millionths: what the checks compare. */
import type { OpenExchange } from '@dutchbook/exchange/start-exchange.ts';
import type { SharedDatabase } from './shared-database.ts';

export type VenueOrder = {
  hash: string;
  tokenId: string;
  side: 'buy' | 'sell';
  limit: number;
  size: number;
  matched: number;
  isStanding: boolean;
};

/** One of our orders' part in one trade. */
export type VenueTrade = {
  tradeId: string;
  hash: string;
  tokenId: string;
  side: 'buy' | 'sell';
  price: number;
  size: number;
  fee: number;
  status: string;
};

/** `cash` and `tokens` are those of our account. */
export type Truth = { cash: number; tokens: Map<string, number>; orders: VenueOrder[]; trades: VenueTrade[] };

const STANDING = ['LIVE', 'UNMATCHED', 'DELAYED'];

export function readTruth({ floor }: OpenExchange): Truth {
  const account = floor.register.firstAccount()?.address ?? '';
  const orders = [...floor.register.orders.values()].map((order) => ({
    hash: order.id,
    tokenId: order.tokenId,
    side: order.side === 'BUY' ? ('buy' as const) : ('sell' as const),
    limit: order.limit,
    size: order.originalShares,
    matched: order.matchedShares,
    isStanding: STANDING.includes(order.status),
  }));
  const ours = new Set(orders.map(({ hash }) => hash));
  const trades = [...floor.register.trades.values()].flatMap((trade) =>
    [trade.taker, trade.maker]
      .filter(({ orderId }) => ours.has(orderId))
      .map((side) => ({
        tradeId: trade.id,
        hash: side.orderId,
        tokenId: side.tokenId,
        side: side.side === 'BUY' ? ('buy' as const) : ('sell' as const),
        price: side.price,
        size: trade.shares,
        fee: side === trade.taker ? trade.fee : 0,
        status: trade.status.toLowerCase(),
      })),
  );
  return { cash: floor.ledger.cash(account), tokens: new Map(floor.ledger.holdings(account)), orders, trades };
}

export type StoredBatch = {
  id: string;
  opportunity_id: string;
  status: string;
  expected_orders: number;
  total_orders: number;
  order_size: number;
  target_price: number;
  target_profit: number;
  actual_profit: number | null;
  automatic: boolean;
  retry_count: number;
  created_by: string | null;
  cancel_requested_at: string | null;
  unhedged: object | null;
  last_error: string | null;
  created_at: string;
};
export type StoredOrder = {
  id: string;
  batch_id: string;
  token_id: string;
  side: 'buy' | 'sell';
  size: number;
  price: number;
  status: string;
  filled_size: number;
  filled_cost: number;
  fee: number;
  error: string | null;
  sells_order_id: string | null;
};
export type StoredAttempt = {
  id: string;
  order_id: string;
  batch_id: string;
  order_hash: string;
  salt: string;
  size: number;
  price: number;
  status: string;
  sent_at: string | null;
};
export type StoredFill = {
  trade_id: string;
  order_hash: string;
  attempt_id: string;
  price: number;
  size: number;
  fee: number;
  settlement: string;
};

export type Stored = {
  batches: StoredBatch[];
  orders: StoredOrder[];
  attempts: StoredAttempt[];
  fills: StoredFill[];
  /** Hashes of the orders that are said to have been placed by somebody else. */
  external: string[];
  /** How often people were told of such orders. */
  externalNews: number;
  audit: { action: string; object: string | null; actor: string | null }[];
  armed: boolean | null;
};

const READ_ALL = `
  select
    (select coalesce(json_agg(to_jsonb(b) - 'settings' order by created_at, id), '[]') from batches b) as batches,
    (select coalesce(json_agg(o order by batch_id, ordinal), '[]') from batch_orders o) as orders,
    (select coalesce(json_agg(to_jsonb(a) - 'payload' order by created_at, id), '[]') from attempts a) as attempts,
    (select coalesce(json_agg(f order by trade_id, order_hash), '[]') from fills f) as fills,
    (select coalesce(json_agg(order_hash order by order_hash), '[]') from external_orders) as external,
    (select count(*)::int from notifications where notification_type = 'external_order') as "externalNews",
    (select coalesce(json_agg(json_build_object('action', action, 'object', object, 'actor', actor) order by seq), '[]')
      from audit_log) as audit,
    (select armed from trading_controls limit 1) as armed`;

export async function readStored(database: Pick<SharedDatabase, 'query'>): Promise<Stored> {
  const [row] = await database.query<Stored>(READ_ALL);
  if (row === undefined) throw new Error('one row was asked for');
  return row;
}
