import type { Usd } from '@dutchbook/units/usd.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ok, page } from './answers.ts';
import { CALL_COST, CANCEL_COST } from './budgets.ts';
import { BASE_PATH, type Caller, type CallParts, publicGet, signedRoute } from './calls.ts';
import type { SettlementRow } from './lifecycle.ts';
import { SHARDS } from './members.ts';
import type { Fill } from './orders/fills.ts';
import { wireFill } from './orders/order-shape.ts';
import { count, dollars, seconds, time } from './text.ts';
import type { KalshiVenue } from './venue.ts';

const CENT = 10_000;
const PAGE_MAX = 1000;
const whole = z.coerce.number().int().nonnegative().optional();
const paged = { limit: whole, cursor: z.string().optional() };

/** What a member has, and did. */
export function registerPortfolio(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  registerAccount(app, parts);
  const read = { method: 'GET', need: 'read', body: z.unknown() } as const;
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/balance', query: z.object({ subaccount: whole, exchange_index: whole }) },
    answer: (caller, { query }) => ok(balanceOf(venue, caller, query)),
  });
  const ofMarket = { ...paged, ticker: z.string().optional(), event_ticker: z.string().optional(), subaccount: whole };
  const fillsQuery = z.object({ ...ofMarket, order_id: z.string().optional(), min_ts: whole, max_ts: whole });
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/fills', query: fillsQuery },
    answer: (caller, { query }) => {
      const found = visibleFills(venue, caller)
        .filter(({ at }) => at >= venue.historyBefore)
        .filter(({ order }) => !query.ticker || order.ticker === query.ticker)
        .filter(({ order }) => !query.order_id || order.id === query.order_id)
        .filter(({ at }) => query.min_ts === undefined || seconds(at) >= query.min_ts)
        .filter(({ at }) => query.max_ts === undefined || seconds(at) <= query.max_ts)
        .reverse();
      const { items, cursor } = page(found, query.cursor, limited(venue, query.limit));
      return ok({ fills: items.map((fill) => wireFill(fill, venue)), cursor });
    },
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/positions', query: z.object({ ...ofMarket, count_filter: z.string().optional() }) },
    answer: (caller, { query }) => {
      const found = positionsOf(venue, caller)
        .filter(({ ticker }) => !query.ticker || ticker === query.ticker)
        .filter(({ event }) => !query.event_ticker || event === query.event_ticker);
      const { items, cursor } = page(found, query.cursor, limited(venue, query.limit));
      return ok({ market_positions: items.map(({ row }) => row), event_positions: [], cursor });
    },
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/settlements', query: z.object({ ...ofMarket, min_ts: whole, max_ts: whole }) },
    answer: (caller, { query }) => {
      const pockets = new Set(pocketsOf(caller));
      const found = venue.lifecycle.settlements
        .filter(({ pocket }) => pockets.has(pocket))
        .filter(({ ticker }) => !query.ticker || ticker === query.ticker)
        .filter(({ at }) => query.min_ts === undefined || seconds(at) >= query.min_ts);
      const { items, cursor } = page(found, query.cursor, limited(venue, query.limit));
      return ok({ settlements: items.map((row) => wireSettlement(venue, row)), cursor });
    },
  });
  publicGet(app, parts, '/exchange/user_data_timestamp', z.unknown(), () =>
    ok({ as_of_time: new Date(venue.engine.clock.now() - venue.readLagMs).toISOString() }),
  );
}

function registerAccount(app: FastifyInstance, parts: CallParts): void {
  const { budgets, venue } = parts;
  const read = { method: 'GET', need: 'read', query: z.unknown(), body: z.unknown() } as const;
  signedRoute(app, parts, {
    ...{ ...read, path: '/account/limits' },
    answer: () => {
      const { tier, read: reads, write: writes } = budgets.limits;
      const bucket = ({ refillPerSecond, capacity }: typeof reads) => ({
        refill_rate: refillPerSecond,
        bucket_capacity: capacity,
      });
      return ok({ usage_tier: tier, read: bucket(reads), write: bucket(writes), grants: [] });
    },
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/account/endpoint_costs' },
    answer: () => ok({ default_cost: CALL_COST, endpoint_costs: CANCEL_COSTS }),
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/api_keys' },
    answer: ({ member }) =>
      ok({
        api_keys: [...member.keys.values()].map(({ id, scopes, subaccount }) => ({
          api_key_id: id,
          name: id,
          scopes,
          ...(subaccount === null ? {} : { subaccount }),
        })),
        ...(venue.keysEndAt === null ? {} : { api_key_region_expiration_ts: seconds(venue.keysEndAt) }),
      }),
  });
}

const CANCEL_COSTS = ['/portfolio/events/orders/{order_id}', '/portfolio/events/orders/batched'].map((path) => ({
  method: 'DELETE',
  path: `${BASE_PATH}${path}`,
  cost: CANCEL_COST,
}));

export function limited(venue: KalshiVenue, limit: number | undefined): number {
  return Math.min(limit ?? 100, PAGE_MAX, venue.pageMax);
}

/** All of a member's pockets that its key may see. */
function pocketsOf({ member, key }: Caller, subaccount?: number): string[] {
  const wanted = key.subaccount ?? subaccount;
  const some = wanted === undefined ? [...member.subaccounts] : [wanted];
  return some.flatMap((each) => SHARDS.map(({ index }) => member.pocket(each, index)));
}

/** The sum looks healthy while the shard of a market may have nothing. */
function balanceOf(
  venue: KalshiVenue,
  { member, key }: Caller,
  asked: { subaccount?: number | undefined; exchange_index?: number | undefined },
) {
  const subaccount = key.subaccount ?? asked.subaccount ?? 0;
  const shards = SHARDS.filter(({ index }) => asked.exchange_index === undefined || index === asked.exchange_index);
  const knownMs = venue.engine.clock.now() - venue.readLagMs;
  const cash = shards.map(({ index }) => {
    const pocket = member.pocket(subaccount, index);
    const usd = (venue.orders.freeCash(pocket) + venue.seenCash.sinceSpent(pocket, knownMs)) as Usd;
    return { index, usd };
  });
  const total = cash.reduce((sum, { usd }) => sum + usd, 0);
  return {
    balance: Math.floor(total / CENT),
    balance_dollars: dollars(total),
    portfolio_value: 0,
    updated_ts: seconds(venue.engine.clock.now()),
    ...(key.subaccount === null ? { balance_breakdown: breakdownOf(venue, cash) } : {}),
  };
}

function breakdownOf({ leftOutShards }: KalshiVenue, cash: readonly { index: number; usd: Usd }[]) {
  return cash
    .filter(({ index }) => !leftOutShards.includes(index))
    .map(({ index, usd }) => ({ exchange_index: index, balance: dollars(usd) }));
}

export function visibleFills(venue: KalshiVenue, caller: Caller): Fill[] {
  const knownMs = venue.engine.clock.now() - venue.readLagMs;
  const pockets = new Set(pocketsOf(caller));
  return venue.fills.all.filter(({ order, at }) => pockets.has(order.pocket) && at <= knownMs);
}

function positionsOf(venue: KalshiVenue, caller: Caller) {
  const fills = visibleFills(venue, caller);
  return venue.allMarkets().flatMap((market) => {
    const own = fills.filter(({ order }) => order.ticker === market.ticker);
    if (own.length === 0 || venue.states.of(market).status === 'finalized') return [];
    const pockets = pocketsOf(caller).filter((pocket) => pocket.endsWith(`#${market.event.series.shard}`));
    const now = pockets.reduce((sum, pocket) => sum + venue.position(pocket, market.ticker), 0);
    const unseen = unseenShares(venue, own, pockets, market.ticker);
    const last = own.at(-1);
    const row = {
      ticker: market.ticker,
      exchange_index: market.event.series.shard,
      total_traded_dollars: dollars(own.reduce((sum, { size, yesPrice }) => sum + (size * yesPrice) / 1_000_000, 0)),
      position_fp: count(now - unseen),
      market_exposure_dollars: '0.0000',
      realized_pnl_dollars: '0.0000',
      fees_paid_dollars: dollars(own.reduce((sum, { fee }) => sum + fee, 0)),
      last_updated_ts: last === undefined ? '' : time(last.at),
    };
    return [{ ticker: market.ticker, event: market.event.ticker, row }];
  });
}

/** What was filled since the reads were brought up to date. */
function unseenShares(venue: KalshiVenue, seen: readonly Fill[], pockets: readonly string[], ticker: string): number {
  const known = new Set(seen);
  return venue.fills.all
    .filter((fill) => fill.order.ticker === ticker && pockets.includes(fill.order.pocket) && !known.has(fill))
    .reduce((sum, { order, size }) => sum + (order.side === 'bid' ? size : -size), 0);
}

function wireSettlement(venue: KalshiVenue, row: SettlementRow) {
  const { pocket, ticker, yes, no, yesPays, result, revenue, at } = row;
  const bought = (side: 'bid' | 'ask') =>
    venue.fills.all
      .filter(({ order }) => order.pocket === pocket && order.ticker === ticker && order.side === side)
      .reduce(
        (sum, { size, yesPrice }) => sum + (size * (side === 'bid' ? yesPrice : 1_000_000 - yesPrice)) / 1_000_000,
        0,
      );
  const market = venue.market(ticker);
  return {
    ticker,
    exchange_index: market?.event.series.shard ?? 0,
    event_ticker: market?.event.ticker ?? '',
    market_result: result,
    yes_count_fp: count(yes),
    yes_total_cost_dollars: dollars(Math.round(bought('bid'))),
    no_count_fp: count(no),
    no_total_cost_dollars: dollars(Math.round(bought('ask'))),
    revenue: Math.floor(revenue / CENT),
    settled_time: time(at),
    fee_cost: '0.0000',
    value: Math.floor(yesPays / CENT),
  };
}
