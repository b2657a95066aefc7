import type { Usd } from '@dutchbook/units/usd.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type AccountPart, limited, pocketsOf, visibleFills } from './account/account-part.ts';
import { positionsAnswer } from './account/positions.ts';
import { ok, page } from './answers.ts';
import { CALL_COST, CANCEL_COST } from './budgets.ts';
import { BASE_PATH, type Caller, type CallParts, publicGet, signedRoute } from './calls.ts';
import type { SettlementRow } from './lifecycle.ts';
import { SHARDS } from './members.ts';
import { wireFill } from './orders/order-shape.ts';
import { count, dollars, seconds, time } from './text.ts';
import type { KalshiVenue } from './venue.ts';

const CENT = 10_000;
const whole = z.coerce.number().int().nonnegative().optional();
const paged = { limit: whole, cursor: z.string().optional() };

/** Routes of a member's portfolio and history. */
export function registerPortfolio(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  registerAccount(app, parts);
  const read = { method: 'GET', need: 'read', body: z.unknown() } as const;
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/balance', query: z.object({ subaccount: whole, exchange_index: whole }) },
    need: 'read::portfolio_balance',
    answer: (caller, { query }) => ok(balanceOf(venue, caller, query)),
  });
  const ofMarket = {
    ...{ ...paged, ticker: z.string().optional(), event_ticker: z.string().optional() },
    ...{ subaccount: whole, exchange_index: whole },
  };
  const fillsQuery = z.object({ ...ofMarket, order_id: z.string().optional(), min_ts: whole, max_ts: whole });
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/fills', query: fillsQuery },
    answer: (caller, { query }) => {
      const found = visibleFills(venue, caller, query)
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
    answer: (caller, { query }) =>
      positionsAnswer(venue, caller, query, (market) => venue.states.of(market).status !== 'finalized'),
  });
  signedRoute(app, parts, {
    ...{ ...read, path: '/portfolio/settlements', query: z.object({ ...ofMarket, min_ts: whole, max_ts: whole }) },
    answer: (caller, { query }) => {
      const pockets = new Set(pocketsOf(caller, query));
      const found = venue.lifecycle.settlements
        .filter(({ pocket }) => pockets.has(pocket))
        .filter(({ ticker }) => !query.ticker || ticker === query.ticker)
        .filter(({ ticker }) => !query.event_ticker || venue.market(ticker)?.event.ticker === query.event_ticker)
        .filter(({ at }) => query.min_ts === undefined || seconds(at) >= query.min_ts)
        .filter(({ at }) => query.max_ts === undefined || seconds(at) <= query.max_ts);
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

/** The sum looks healthy while the shard of a market may have nothing. */
function balanceOf(venue: KalshiVenue, { member, key }: Caller, asked: AccountPart) {
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
