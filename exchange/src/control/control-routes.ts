import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { isOnTick, priceFromText, type Tick, tickFromText, tickToText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText, usdToText } from '@dutchbook/units/usd.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { TICKS } from '../catalogue/ticks.ts';
import type { Chain } from '../chain/chain.ts';
import { FAULT_NAMES, type Faults } from '../faults/faults.ts';
import type { QuoteSource } from '../makers/makers.ts';
import { type BookSide, bookSideOf, unifiedPrice } from '../matching/order.ts';
import type { Quote } from '../matching/quotes.ts';
import type { Market, Token } from '../matching-engine/market.ts';
import { CATALOGUE_PAGE_MAX, type MatchingEngine } from '../matching-engine/matching-engine.ts';
import { TRADING_MODES } from '../matching-engine/trading-mode.ts';
import type { Planted } from '../planted/planted.ts';
import { type Positions, REDEEM_PAYS } from '../settlement/positions.ts';
import { accountOf, ControlError, decimal, marketOf, post, tokenOf } from './calls.ts';
import { registerChainControl } from './chain-control.ts';
import { outsideOrder, placeOutsideOrder } from './outside-order.ts';
import { plantedTruth } from './planted-routes.ts';
import { registerPositions } from './position-control.ts';
import { controlState } from './state.ts';
import { registerTransfers } from './transfer-control.ts';

export interface ControlParts {
  readonly engine: MatchingEngine;
  readonly faults: Faults;
  readonly positions: Positions;
  readonly chain: Chain;
  readonly source: QuoteSource;
  /** Absent where none was asked for. */
  readonly planted: Planted | undefined;
}

const level = z.object({ price: decimal, size: decimal });
const bookBody = z.object({ token_id: z.string(), bids: z.array(level).default([]), asks: z.array(level).default([]) });
const faultBody = z.object({
  name: z.enum(FAULT_NAMES),
  times: z.int().positive().optional(),
  token_id: z.string().optional(),
  fraction: z.number().min(0).max(1).optional(),
  ms: z.number().nonnegative().optional(),
  recover: z.boolean().optional(),
  before: z.boolean().optional(),
  existing_only: z.boolean().optional(),
  silent: z.boolean().optional(),
  reason: z.string().max(200).optional(),
  blocks: z.int().min(1).max(128).optional(),
  call: z.int().min(0).max(100).optional(),
});
const account = z.string().optional();

const allowanceBody = z.object({
  contract: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  asset_type: z.enum(['COLLATERAL', 'CONDITIONAL']),
  /** In base units. */
  amount: z.string().regex(/^\d{1,78}$/),
  account,
});

/** `/_control`: the strings behind the stage, for tests and demos. JSON; a refused call answers `{error}`. */
export function registerControl(app: FastifyInstance, parts: ControlParts): void {
  const { engine, faults, source } = parts;
  post(app, 'pause', z.unknown(), () => source.pause());
  post(app, 'resume', z.unknown(), () => source.resume());
  post(app, 'book', bookBody, (body) => setBook(parts, body));
  post(app, 'faults', faultBody, (body) => faults.add(body, engine.clock.wallNow()));
  app.delete('/_control/faults', () => {
    faults.clear();
    return { ok: true };
  });
  app.get('/_control/faults', () => ({ names: FAULT_NAMES, active: faults.active() }));
  app.get('/_control/state', () => controlState(engine));
  post(app, 'balance', z.object({ usd: decimal, account }), (body) => setBalance(engine, body));
  post(app, 'allowance', allowanceBody, (body) => {
    const { contract, asset_type, amount } = body;
    engine.allowances.set(accountOf(engine, body.account), contract, asset_type, BigInt(amount));
  });
  post(app, 'order', outsideOrder, (body) => {
    const placed = placeOutsideOrder(engine, accountOf(engine, body.account), tokenOf(engine, body.token_id), body);
    if ('refused' in placed) throw new ControlError(409, placed.refused);
    return placed;
  });
  post(app, 'mode', z.object({ mode: z.enum(TRADING_MODES) }), ({ mode }) => engine.tradingMode.setMode(mode));
  post(app, 'hashes', z.object({ present: z.boolean().nullable() }), ({ present }) => {
    engine.namesTransactionsAtOnce = present ?? undefined;
  });
  post(app, 'catalogue', catalogueBody, (body) => troubleCatalogue(engine, body));
  app.get('/_control/planted', () => plantedTruth(parts.planted));
  post(app, 'plant', plantBody, (body) => movePlanted(parts, body));
  registerClock(app, engine);
  registerMarketControl(app, parts);
  registerPositions(app, parts);
  registerChainControl(app, parts);
  registerTransfers(app, parts);
}

function registerClock(app: FastifyInstance, engine: MatchingEngine): void {
  const { clock } = engine;
  const reading = () => ({ now_ms: clock.now(), offset_ms: clock.offsetMs, skew_ms: clock.skewMs });
  const waiting = new Set<() => void>();
  clock.onAdvance(() =>
    setImmediate(() => {
      for (const answer of [...waiting]) answer();
    }),
  );
  const untilMoved = z.object({ unlike: z.coerce.number().int(), wait_ms: z.coerce.number().int().min(0).max(60_000) });
  app.get('/_control/clock', async (request) => {
    const asked = untilMoved.safeParse(request.query);
    if (asked.success && asked.data.unlike === clock.offsetMs) {
      await new Promise<void>((resolve) => {
        const answer = () => {
          clearTimeout(timer);
          waiting.delete(answer);
          resolve();
        };
        const timer = setTimeout(answer, asked.data.wait_ms).unref();
        waiting.add(answer);
      });
    }
    return reading();
  });
  const body = z.object({
    advance_ms: z.int().nonnegative().default(0),
    skew_ms: z.int().optional(),
    freshness_ms: z.int().positive().optional(),
  });
  post(app, 'clock', body, ({ advance_ms, skew_ms, freshness_ms }) => {
    clock.skewMs = skew_ms ?? clock.skewMs;
    clock.freshnessMs = freshness_ms ?? clock.freshnessMs;
    clock.advance(advance_ms);
    return reading();
  });
}

const plantBody = z.object({
  move: z.boolean(),
  pause_ms: z.int().positive().default(20_000),
  length_ms: z.int().positive().default(5_000),
});

function movePlanted({ planted }: ControlParts, { move, pause_ms, length_ms }: z.infer<typeof plantBody>): void {
  if (planted === undefined) throw new ControlError(409, 'nothing was planted');
  if (move) planted.move({ pauseMs: pause_ms, lengthMs: length_ms });
  else planted.rest();
}

const eventIds = z.array(z.string()).optional();
const catalogueBody = z.object({
  page_max: z.int().min(1).max(CATALOGUE_PAGE_MAX).nullish(),
  vanished: eventIds,
  cut: z.record(z.string(), z.int().min(0)).optional(),
  doubled: eventIds,
  garbage: z.int().min(0).optional(),
});

/** What is not named stays as it is. */
function troubleCatalogue(engine: MatchingEngine, body: z.infer<typeof catalogueBody>): void {
  const { trouble } = engine.directory;
  if (body.page_max !== undefined) engine.cataloguePageMax = body.page_max ?? CATALOGUE_PAGE_MAX;
  if (body.garbage !== undefined) trouble.garbage = body.garbage;
  for (const kind of ['vanished', 'doubled'] as const) {
    const wanted = body[kind];
    if (wanted === undefined) continue;
    trouble[kind].clear();
    for (const id of wanted) trouble[kind].add(id);
  }
  if (body.cut === undefined) return;
  trouble.cut.clear();
  for (const [id, count] of Object.entries(body.cut)) trouble.cut.set(id, count);
}

const marketEdit = z.object({
  condition_id: z.string(),
  question: z.string().optional(),
  rules: z.string().optional(),
  clarification: z.string().min(1).optional(),
  end_date: z.iso.datetime().optional(),
  neg_risk_augmented: z.boolean().optional(),
  listed: z.boolean().optional(),
  accepting: z.boolean().optional(),
  reported: z.boolean().optional(),
  neg_risk_fee_bips: z.int().min(0).max(10_000).optional(),
  uma_statuses: z.array(z.string()).max(20).optional(),
});

function editMarket({ engine }: ControlParts, body: z.infer<typeof marketEdit>): void {
  const market = marketOf(engine, body.condition_id);
  const { question, rules, end_date, listed, neg_risk_augmented, accepting, neg_risk_fee_bips } = body;
  if (body.clarification !== undefined) clarify(engine, market, body.clarification);
  if (neg_risk_fee_bips !== undefined) engine.directory.keptBips.set(market.event.id, neg_risk_fee_bips);
  market.edited = {
    ...market.edited,
    ...(question === undefined ? {} : { question }),
    ...(rules === undefined ? {} : { rules }),
    ...(end_date === undefined ? {} : { endsAt: instantFromIso(end_date) }),
    ...(listed === undefined ? {} : { isListed: listed }),
    ...(body.uma_statuses === undefined ? {} : { umaStatuses: body.uma_statuses }),
  };
  if (neg_risk_augmented !== undefined) engine.directory.augmentedNow.set(market.event.id, neg_risk_augmented);
  if (body.reported !== undefined) market.isReported = body.reported;
  if (accepting === undefined) return;
  market.isAccepting = accepting;
  engine.announcer.marketChanged(market);
}

const lieBody = z.object({
  condition_id: z.string(),
  source: z.enum(['gamma', 'clob']),
  fee_rate: decimal.optional(),
  neg_risk: z.boolean().optional(),
  tick_size: decimal.optional(),
  min_size: decimal.optional(),
  swapped: z.boolean().optional(),
});

/** Replaces the service's earlier lie; without fields it states the truth again. */
function lie({ engine }: ControlParts, body: z.infer<typeof lieBody>): void {
  marketOf(engine, body.condition_id).lies.set(body.source, {
    feeRate: body.fee_rate === undefined ? undefined : fractionFromText(body.fee_rate),
    negRisk: body.neg_risk,
    tick: body.tick_size === undefined ? undefined : tickOf(body.tick_size),
    minSize: body.min_size === undefined ? undefined : sharesFromText(body.min_size),
    isSwapped: body.swapped,
  });
}

function clarify({ directory, clock }: MatchingEngine, market: Market, content: string): void {
  directory.clarifications.push({ id: directory.clarifications.length + 1, market, content, at: clock.now() });
}

function registerMarketControl(app: FastifyInstance, parts: ControlParts): void {
  const { engine, positions } = parts;
  post(app, 'market', marketEdit, (body) => editMarket(parts, body));
  post(app, 'lie', lieBody, (body) => lie(parts, body));
  const outcome = z.union([z.string(), z.number()]);
  post(app, 'resolve', z.object({ condition_id: z.string(), outcome }), (body) => {
    const market = marketOf(engine, body.condition_id);
    positions.resolve(market, winnerOf(market, body.outcome));
  });
  const pays = z.enum(REDEEM_PAYS).default('together');
  const autoRedeem = z.object({ on: z.boolean(), delay_ms: z.int().min(0).default(0), pays });
  post(app, 'auto_redeem', autoRedeem, ({ on, delay_ms, pays }) => {
    positions.autoRedeem = { isOn: on, delayMs: delay_ms, pays };
  });
  post(app, 'close', z.object({ condition_id: z.string() }), (body) =>
    engine.stopAccepting(marketOf(engine, body.condition_id)),
  );
  post(app, 'books', z.object({ condition_id: z.string(), served: z.boolean() }), (body) => {
    marketOf(engine, body.condition_id).hasBooks = body.served;
  });
  post(app, 'delay', z.object({ condition_id: z.string(), ms: z.int().nonnegative() }), (body) => {
    marketOf(engine, body.condition_id).delayMs = body.ms;
  });
  post(app, 'tick_size', z.object({ token_id: z.string(), tick_size: decimal }), (body) =>
    engine.setTickSize(tokenOf(engine, body.token_id).market, tickOf(body.tick_size)),
  );
}

function setBook({ engine }: ControlParts, body: z.infer<typeof bookBody>): void {
  const token = tokenOf(engine, body.token_id);
  const bids = body.bids.map((entry) => quoteOf(token, 'bid', entry));
  const asks = body.asks.map((entry) => quoteOf(token, 'ask', entry));
  const bestBid = Math.max(0, ...body.bids.map(({ price }) => priceFromText(price)));
  const bestAsk = Math.min(1_000_000, ...body.asks.map(({ price }) => priceFromText(price)));
  if (bestBid >= bestAsk) throw new ControlError(422, 'the best bid must be below the best ask');
  engine.replaceBook(token.market, [...bids, ...asks]);
}

function quoteOf({ market, outcome }: Token, side: BookSide, entry: { price: string; size: string }): Quote {
  const price = priceFromText(entry.price);
  if (price === 0 || price === 1_000_000 || !isOnTick(price, market.tick)) {
    throw new ControlError(422, `price ${entry.price} is not on the grid of this market`);
  }
  const unifiedSide = bookSideOf(side === 'bid' ? 'BUY' : 'SELL', outcome);
  return { side: unifiedSide, price: unifiedPrice(price, outcome), size: sharesFromText(entry.size) };
}

function setBalance(engine: MatchingEngine, body: { usd: string; account?: string | undefined }): object {
  const address = accountOf(engine, body.account);
  engine.balances.setCash(address, usdFromText(body.usd));
  engine.announcer.accountChanged(address);
  return { account: address, usd: usdToText(engine.balances.cash(address)) };
}

/** `half`: the outcomes pay half a dollar each, which the contract of negative-risk events of the first protocol cannot do. */
function winnerOf({ listing }: Market, outcome: string | number): 0 | 1 | 'half' {
  if (outcome === 'half') {
    if (listing.negRisk && listing.protocol === 'v1')
      throw new ControlError(409, 'a negative-risk market pays one outcome');
    return 'half';
  }
  const names = listing.outcomes.map((name) => name.toLowerCase());
  const index = typeof outcome === 'number' ? outcome : names.indexOf(outcome.toLowerCase());
  if (index !== 0 && index !== 1)
    throw new ControlError(422, `outcome must be one of ${listing.outcomes.join(', ')} or half`);
  return index;
}

function tickOf(text: string): Tick {
  const tick = tickFromText(text);
  if (!TICKS.includes(tick))
    throw new ControlError(422, `tick_size must be one of ${TICKS.map(tickToText).join(', ')}`);
  return tick;
}
