import { instantFromMs } from '@dutchbook/units/instant.ts';
import { microToText } from '@dutchbook/units/micro.ts';
import { priceFromText, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText, usdToText } from '@dutchbook/units/usd.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ControlError, decimal, post, tokenOf } from '../../control/calls.ts';
import { FAULT_NAMES } from '../../faults/faults.ts';
import { type BookSide, bookSideOf, unifiedPrice } from '../../matching/order.ts';
import type { Quote } from '../../matching/quotes.ts';
import type { Token } from '../../matching-engine/market.ts';
import type { Budgets } from './budgets.ts';
import type { MarketOfVenue } from './catalogue/listing.ts';
import { type Member, moveCash, SHARDS } from './members.ts';
import type { KalshiStream } from './stream/stream.ts';
import type { KalshiVenue } from './venue.ts';

export interface ControlParts {
  readonly venue: KalshiVenue;
  readonly budgets: Budgets;
  readonly stream: KalshiStream;
}

/** Behind `/_control/`, so that both venues of the exchange are moved by calls of the same form. */
const at = (name: string) => `kalshi/${name}`;

const level = z.object({ price: decimal, size: decimal });
const bookBody = z.object({ token_id: z.string(), bids: z.array(level).default([]), asks: z.array(level).default([]) });
const ticker = z.string();
const member = z.string().default('member');
const keyBody = z.object({
  key_id: z.string().min(1),
  public_key: z.string(),
  scopes: z.array(z.string()).default(['read', 'write']),
  subaccount: z.int().min(0).max(63).nullable().default(null),
  member,
  kind: z.enum(['direct', 'broker']).default('direct'),
});
const faultBody = z.object({
  name: z.enum(FAULT_NAMES),
  times: z.int().positive().optional(),
  token_id: z.string().optional(),
  fraction: z.number().min(0).max(1).optional(),
  before: z.boolean().optional(),
  ms: z.int().positive().optional(),
});

/** Keys, books, pauses, results and faults of the second venue, for tests and demos. */
export function registerKalshiControl(app: FastifyInstance, parts: ControlParts): void {
  const { venue, stream } = parts;
  post(app, at('keys'), keyBody, ({ key_id, public_key, scopes, subaccount, member: id, kind }) =>
    venue.members.addKey(id, kind, { id: key_id, publicKey: public_key, scopes, subaccount }),
  );
  post(app, at('book'), bookBody, (body) => setBook(venue, body));
  post(app, at('faults'), faultBody, (body) => venue.faults.add(body, venue.engine.clock.wallNow()));
  app.delete(`/_control/${at('faults')}`, () => {
    venue.faults.clear();
    return { ok: true };
  });
  const block = z.object({ ticker, size: decimal, yes_price: decimal });
  post(app, at('block-trade'), block, (body) =>
    venue.fills.noteBlock(marketOf(venue, body.ticker), sharesFromText(body.size), priceFromText(body.yes_price)),
  );
  post(app, at('disconnect'), z.unknown(), () => stream.disconnectAll());
  post(app, at('pause'), z.unknown(), () => venue.makers.pause());
  post(app, at('resume'), z.unknown(), () => venue.makers.resume());
  post(
    app,
    at('reads'),
    z.object({
      lag_ms: z.int().nonnegative().optional(),
      frame_age_ms: z.int().nonnegative().optional(),
      page_max: z.int().positive().nullish(),
      history_before_ms: z.int().nonnegative().optional(),
      left_out_shards: z.array(z.int()).optional(),
    }),
    (body) => {
      venue.readLagMs = body.lag_ms ?? venue.readLagMs;
      venue.frameAgeMs = body.frame_age_ms ?? venue.frameAgeMs;
      venue.historyBefore = instantFromMs(body.history_before_ms ?? venue.historyBefore);
      venue.leftOutShards = body.left_out_shards ?? venue.leftOutShards;
      if (body.page_max !== undefined) venue.pageMax = body.page_max ?? Number.MAX_SAFE_INTEGER;
    },
  );
  registerMarkets(app, venue);
  registerAccount(app, parts);
}

function registerMarkets(app: FastifyInstance, venue: KalshiVenue): void {
  post(app, at('halt'), z.object({ ticker }), (body) => venue.lifecycle.halt(marketOf(venue, body.ticker)));
  post(app, at('reopen'), z.object({ ticker }), (body) => venue.lifecycle.resume(marketOf(venue, body.ticker)));
  post(app, at('close'), z.object({ ticker }), (body) => venue.lifecycle.close(marketOf(venue, body.ticker)));
  const result = z.object({
    ticker,
    yes_pays: decimal,
    status: z.enum(['determined', 'disputed', 'amended']).default('determined'),
    finalize: z.boolean().default(true),
  });
  post(app, at('resolve'), result, (body) => {
    const market = marketOf(venue, body.ticker);
    venue.lifecycle.determine(market, priceFromText(body.yes_pays), body.status);
    if (body.finalize) venue.lifecycle.finalize(market);
  });
  const edit = z.object({
    ticker,
    rules: z.string().optional(),
    fee_waived_until_ms: z.int().nullish(),
    ranges: z.array(z.object({ start: decimal, end: decimal, step: decimal })).optional(),
  });
  post(app, at('market'), edit, (body) => {
    const market = marketOf(venue, body.ticker);
    const state = venue.states.of(market);
    state.rules = body.rules ?? state.rules;
    if (body.fee_waived_until_ms !== undefined)
      state.feeWaivedUntil = body.fee_waived_until_ms === null ? null : instantFromMs(body.fee_waived_until_ms);
    if (body.ranges === undefined) return;
    state.ranges = body.ranges.map(({ start, end, step }) => ({
      start: priceFromText(start),
      end: priceFromText(end),
      step: tickFromText(step),
    }));
    venue.lifecycle.changed(market, 'ticks');
  });
  const shard = z.object({
    shard: z
      .int()
      .min(0)
      .max(SHARDS.length - 1),
    exchange_active: z.boolean().optional(),
    trading_active: z.boolean().optional(),
    transfers_active: z.boolean().optional(),
  });
  post(app, at('hours'), z.object({ kept: z.boolean() }), ({ kept }) => {
    venue.keepsHours = kept;
  });
  post(app, at('shard'), shard, (body) => {
    const state = venue.states.shard(body.shard);
    state.exchangeActive = body.exchange_active ?? state.exchangeActive;
    state.tradingActive = body.trading_active ?? state.tradingActive;
    state.transfersActive = body.transfers_active ?? state.transfersActive;
  });
}

function registerAccount(app: FastifyInstance, { venue, budgets }: ControlParts): void {
  const bucket = z.object({ refill: z.number().positive(), capacity: z.number().positive() });
  const limits = z.object({ tier: z.string(), read: bucket, write: bucket, without_key: bucket.optional() });
  post(app, at('limits'), limits, ({ tier, read, write, without_key }) => {
    const size = ({ refill, capacity }: typeof read) => ({ refillPerSecond: refill, capacity });
    budgets.setLimits({
      tier,
      read: size(read),
      write: size(write),
      ...(without_key && { withoutKey: size(without_key) }),
    });
  });
  const balance = z.object({
    member,
    shard: z
      .int()
      .min(0)
      .max(SHARDS.length - 1),
    usd: decimal,
  });
  post(app, at('balance'), balance, (body) => {
    const pocket = memberOf(venue, body.member).pocket(0, body.shard);
    const { balances } = venue.engine;
    moveCash(balances, pocket, (usdFromText(body.usd) - balances.cash(pocket)) as ReturnType<typeof usdFromText>);
  });
  const allocation = z.object({
    shard: z
      .int()
      .min(0)
      .max(SHARDS.length - 1),
    percent: z.int().min(0).max(100),
  });
  const transfers = z.object({
    member,
    pending_ms: z.int().nonnegative().optional(),
    allocations: z.array(allocation).optional(),
    hidden: z.boolean().optional(),
  });
  post(app, at('transfers'), transfers, (body) => {
    venue.transfers.pendingMs = body.pending_ms ?? venue.transfers.pendingMs;
    venue.transfers.isHidden = body.hidden ?? venue.transfers.isHidden;
    if (body.allocations !== undefined) venue.transfers.allocate(body.member, body.allocations);
  });
  post(app, at('keys-end'), z.object({ at_ms: z.int().nullable() }), ({ at_ms }) => {
    venue.keysEndAt = at_ms === null ? null : instantFromMs(at_ms);
  });
  app.get(`/_control/${at('state')}`, () => ({ ...stateOf(venue), refused_calls: budgets.refused }));
}

/** The truth to compare with: what each pocket of each member has, and all orders and fills. */
function stateOf(venue: KalshiVenue) {
  const { balances } = venue.engine;
  const pockets = balances.accounts().map((pocket) => [
    pocket,
    {
      usd: usdToText(balances.cash(pocket)),
      tokens: Object.fromEntries([...balances.holdings(pocket)].map(([id, shares]) => [id, microToText(shares)])),
    },
  ]);
  return {
    transfers: venue.transfers.all.map(({ id, member: of, source, destination, usd }) => {
      const pocket = ({ subaccount, shard }: typeof source) => venue.members.named(of)?.pocket(subaccount, shard);
      return { id, from: pocket(source), to: pocket(destination), usd: usdToText(usd) };
    }),
    pockets: Object.fromEntries(pockets) as Record<string, { usd: string; tokens: Record<string, string> }>,
    orders: venue.orders.all().map(({ id, clientId, ticker: of, side, status, count, filled, reason }) => ({
      ...{ id, client_order_id: clientId, ticker: of, side, status, reason },
      count: microToText(count),
      filled: microToText(filled),
    })),
    fills: venue.fills.all.map(({ tradeId, order, size, yesPrice, isTaker, fee }) => ({
      ...{ trade_id: tradeId, order_id: order.id, client_order_id: order.clientId, is_taker: isTaker },
      ...{ ticker: order.ticker, side: order.side, yes_price: microToText(yesPrice) },
      count: microToText(size),
      fee: microToText(fee),
    })),
  };
}

function marketOf(venue: KalshiVenue, name: string): MarketOfVenue {
  const market = venue.market(name);
  if (market === undefined) throw new ControlError(404, `no market ${name}`);
  return market;
}

function memberOf(venue: KalshiVenue, id: string): Member {
  const found = venue.members.named(id);
  if (found === undefined) throw new ControlError(404, `no member ${id}`);
  return found;
}

function setBook({ engine }: KalshiVenue, body: z.infer<typeof bookBody>): void {
  const token = tokenOf(engine, body.token_id);
  const bids = body.bids.map((entry) => quoteOf(token, 'bid', entry));
  const asks = body.asks.map((entry) => quoteOf(token, 'ask', entry));
  engine.replaceBook(token.market, [...bids, ...asks]);
}

function quoteOf({ outcome }: Token, side: BookSide, entry: { price: string; size: string }): Quote {
  const price = priceFromText(entry.price);
  const unifiedSide = bookSideOf(side === 'bid' ? 'BUY' : 'SELL', outcome);
  return { side: unifiedSide, price: unifiedPrice(price, outcome), size: sharesFromText(entry.size) };
}
