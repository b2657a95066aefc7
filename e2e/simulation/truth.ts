/** What the exchange has and the database says, as plain integers of millionths: what the checks compare. */
import type { OpenExchange } from '@dutchbook/exchange/start-exchange.ts';
import { idAt, type VenueName } from '@dutchbook/units/ids.ts';
import { type StoredSubmission, SUBMISSIONS } from './exits/chain-truth.ts';
import type { SharedDatabase } from './shared-database.ts';
import { readKalshi } from './venues/kalshi-truth.ts';
import { kalshiOf } from './venues/second-venue.ts';

export type VenueOrder = {
  hash: string;
  tokenId: string;
  side: 'buy' | 'sell';
  limit: number;
  size: number;
  matched: number;
  isStanding: boolean;
  /** It buys for dollars, and `size` is what they buy at `limit`. */
  spends: boolean;
  /** It ended before anything of it matched or rested: that it failed is as true as that it was placed. */
  isEmpty?: true;
};

/** One of our orders' part in one trade. */
export type VenueTrade = {
  tradeId: string;
  hash: string;
  tokenId: string;
  side: 'buy' | 'sell';
  price: number;
  size: number;
  /** Dollars that it paid or was paid, before the fee. */
  cost: number;
  fee: number;
  status: string;
};

/** `cash` and `tokens` are those of our account; those of each venue together. */
export type Truth = {
  cash: number;
  cashAt: ReadonlyMap<VenueName, number>;
  tokens: Map<string, number>;
  orders: VenueOrder[];
  trades: VenueTrade[];
  /** Cash that was moved between the pockets of the second venue, in the words of `cashMoves`. */
  cashMoves: string[];
};

const STANDING = ['LIVE', 'UNMATCHED', 'DELAYED'];

export function readTruth(exchange: OpenExchange): Truth {
  const [here, there] = [readPolymarket(exchange), readKalshi(kalshiOf(exchange))];
  return {
    cash: here.cash + there.cash,
    cashAt: new Map([
      ['polymarket', here.cash],
      ['kalshi', there.cash],
    ]),
    tokens: new Map([...here.tokens, ...there.tokens]),
    orders: [...here.orders, ...there.orders],
    trades: [...here.trades, ...there.trades],
    cashMoves: there.cashMoves,
  };
}

/** What one venue has of our account. */
export type TruthAtVenue = Omit<Truth, 'cashAt'>;

function readPolymarket(exchange: OpenExchange): TruthAtVenue {
  const { engine } = exchange;
  const account = engine.register.firstAccount()?.address ?? '';
  const orders = [...engine.register.orders.values()].map((order) => ({
    hash: order.id,
    tokenId: order.tokenId,
    side: order.side === 'BUY' ? ('buy' as const) : ('sell' as const),
    limit: order.limit,
    size: order.originalShares,
    matched: order.matchedShares,
    isStanding: STANDING.includes(order.status),
    spends: order.side === 'BUY' && (order.timeInForce === 'FAK' || order.timeInForce === 'FOK'),
  }));
  const ours = new Set(orders.map(({ hash }) => hash));
  const trades = [...engine.register.trades.values()].flatMap((trade) =>
    [
      { ...trade.taker, shares: trade.shares, usd: trade.takerUsd, fee: trade.fee },
      ...trade.makers.map((maker) => ({ ...maker, fee: 0 })),
    ]
      .filter(({ orderId }) => ours.has(orderId))
      .map((part) => ({
        tradeId: trade.id,
        hash: part.orderId,
        tokenId: part.tokenId,
        side: part.side === 'BUY' ? ('buy' as const) : ('sell' as const),
        price: part.price,
        size: part.shares,
        cost: part.usd,
        fee: part.fee,
        status: trade.status.toLowerCase(),
      })),
  );
  const cash = engine.balances.cash(account);
  return { cash, tokens: listedTokens(exchange, account), orders, trades, cashMoves: [] };
}

/** Contracts hand out shares of markets, too, that the venue does not list. */
function listedTokens({ engine }: OpenExchange, account: string): Map<string, number> {
  const { balances, directory } = engine;
  return new Map([...balances.holdings(account)].filter(([tokenId]) => directory.token(tokenId) !== undefined));
}

export type StoredBatch = {
  id: string;
  opportunity_id: string;
  /** Null where it is no clip. */
  series_id: string | null;
  clip_number: number | null;
  /** The call that splits dollars into what its orders hold; null where they are bought. */
  split_step_id: string | null;
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
  sold_at: string | null;
  unhedged: object | null;
  unhedged_since: string | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
  /** It has changed since the report took it up. */
  results_due: boolean;
};
export type StoredOrder = {
  id: string;
  batch_id: string;
  market_id: string;
  token_id: string;
  outcome: string;
  side: 'buy' | 'sell';
  size: number;
  price: number;
  status: string;
  filled_size: number;
  filled_cost: number;
  fee: number;
  error: string | null;
  sells_order_id: string | null;
  /** What was sold at once. */
  sale_id: string | null;
  created_at: string;
  /** It is carried out on chain, or holds what was handed out there. */
  chain_step_id: string | null;
  /** What a share pays, once it is known that its market has resolved. */
  resolved_value: number | null;
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
  created_at: string;
};
export type StoredFill = {
  trade_id: string;
  order_hash: string;
  attempt_id: string;
  price: number;
  size: number;
  cost: number;
  fee: number;
  settlement: string;
};

/** `reported`: how many of its rises were notified, or are stored to be. */
export type StoredOpportunity = { id: string; target_price: number; rises: number; reported: number };
export type StoredAction = {
  action: string;
  object: string | null;
  actor: string | null;
  at: string;
  /** What an opportunity was changed to; dollars. */
  changed: { active?: boolean; target_price?: number } | null;
};

export type Stored = {
  opportunities: StoredOpportunity[];
  batches: StoredBatch[];
  orders: StoredOrder[];
  attempts: StoredAttempt[];
  fills: StoredFill[];
  /** Hashes of the orders that the product lists as placed by another program. */
  external: string[];
  /** How often such orders were notified. */
  externalNotifications: number;
  /** Batches whose notifications are stored, and not in the list yet. */
  deferredNotifications: number;
  /** In the order in which it was recorded. */
  audit: StoredAction[];
  /** Of each venue of which anything was stored; `perDay`: what may be bought a day, null without a limit. */
  controls: { venue: string; armed: boolean; perDay: number | null }[];
  /** In the order in which they were recorded. */
  submissions: StoredSubmission[];
  /** Cash that was to be moved between the pockets of the second venue. */
  cashMoves: { id: string; move: string; status: string; sent: boolean }[];
};

const READ_ALL = `
  select
    (select coalesce(json_agg(json_build_object('id', o.id, 'target_price', o.target_price, 'rises', p.rises, 'reported',
        (select count(*)::int from notifications n
          where n.opportunity_id = o.id and notification_type = 'opportunity_triggered')
        + (select count(*)::int from deferred_notifications d, jsonb_array_elements(d.notifications) n
          where n ->> 'opportunityId' = o.id::text and n ->> 'type' = 'opportunity_triggered')) order by o.id), '[]')
      from opportunities o join opportunity_prices p on p.opportunity_id = o.id) as opportunities,
    (select coalesce(json_agg(to_jsonb(b) - 'settings' order by created_at, id), '[]') from batches b) as batches,
    (select coalesce(json_agg(o order by batch_id, ordinal), '[]') from batch_orders o) as orders,
    (select coalesce(json_agg(to_jsonb(a) - 'payload' order by created_at, id), '[]') from attempts a) as attempts,
    (select coalesce(json_agg(f order by trade_id, order_hash), '[]') from fills f) as fills,
    (select coalesce(json_agg(order_hash order by order_hash), '[]') from external_orders) as external,
    (select count(*)::int from notifications where notification_type = 'external_order') as "externalNotifications",
    (select count(*)::int from deferred_notifications) as "deferredNotifications",
    (select coalesce(json_agg(json_build_object('action', action, 'object', object, 'actor', actor, 'at', at,
        'changed', case when action = 'opportunity.changed' then after end) order by seq), '[]')
      from audit_log) as audit,
    (select coalesce(json_agg(json_build_object('venue', venue, 'armed', armed, 'perDay', per_day::float8) order by venue), '[]')
      from trading_controls) as controls,
    (select coalesce(json_agg(json_build_object('id', id, 'move', from_pocket || ' to ' || to_pocket || ': ' || amount,
        'status', status, 'sent', sent_at is not null) order by created_at, id), '[]') from cash_moves) as "cashMoves",
    ${SUBMISSIONS} as submissions`;

/** What is stored under the name that a venue has on the simulated exchange; nothing of one that nothing is stored of. */
export function controlsAt(
  { controls }: Pick<Stored, 'controls'>,
  venue: VenueName,
): Stored['controls'][number] | undefined {
  return controls.find(({ venue: name }) => name === idAt(venue, 'simulated'));
}

export async function readStored(database: Pick<SharedDatabase, 'query'>): Promise<Stored> {
  const [row] = await database.query<Stored>(READ_ALL);
  if (row === undefined) throw new Error('one row was asked for');
  return row;
}
