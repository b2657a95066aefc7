import { fractionToNumber } from '@dutchbook/units/fraction.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { microToText } from '@dutchbook/units/micro.ts';
import { tickToNumber, tickToText } from '@dutchbook/units/price.ts';
import { sharesToNumber } from '@dutchbook/units/shares.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Faults } from '../../faults/faults.ts';
import { jsonOf } from '../../http/raw-calls.ts';
import { type Market, statedBy, type Token } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import { type Answer, MARKET_NOT_FOUND, NO_ORDERBOOK, ok, page, refused } from './answers.ts';
import { bestPrice, ghostBook, lastTradePrice, midpoint, priceText, wireBook } from './book-shape.ts';
import { send } from './trading-routes.ts';

const MAX_TOKENS_PER_CALL = 500;
const MARKETS_PER_PAGE = 1_000;

const tokenQuery = z.object({ token_id: z.string(), side: z.string().optional() });
const tokenList = z.array(tokenQuery);

/** Routes without a key: books, prices and market parameters. */
export function registerPublic(app: FastifyInstance, engine: MatchingEngine, faults: Faults): void {
  app.get('/ok', () => 'OK');
  app.get('/time', () => Math.floor(engine.clock.servedNow() / 1000));
  app.get('/version', () => ({ version: 2 }));
  registerBooks(app, engine, faults);
  registerPrices(app, engine);
  registerMarkets(app, engine);
}

function registerBooks(app: FastifyInstance, engine: MatchingEngine, faults: Faults): void {
  const bookOf = ({ market, outcome, tokenId }: Token) =>
    faults.strike('stale_book', [tokenId]) ? ghostBook(market, outcome) : wireBook(market, outcome);
  perToken(app, engine, '/book', (token) => (token.market.hasBooks ? bookOf(token) : NO_ORDERBOOK));
  perTokenList(app, engine, '/books', (tokens) =>
    tokens.filter(({ token }) => token.market.hasBooks).map(({ token }) => bookOf(token)),
  );
}

function registerPrices(app: FastifyInstance, engine: MatchingEngine): void {
  perToken(app, engine, '/price', (token, side) => ({ price: sidePrice(token, side) || '0' }));
  perTokenList(app, engine, '/prices', (tokens) => {
    const prices: Record<string, Record<string, string>> = {};
    for (const { token, side } of tokens) {
      prices[token.tokenId] = { ...prices[token.tokenId], [side]: sidePrice(token, side) || '0' };
    }
    return prices;
  });
  perToken(app, engine, '/midpoint', (token) => {
    const mid = midpoint(token.market, token.outcome);
    return mid === undefined ? NO_ORDERBOOK : { mid };
  });
  perTokenList(app, engine, '/midpoints', (tokens) =>
    Object.fromEntries(tokens.map(({ token }) => [token.tokenId, midpoint(token.market, token.outcome) ?? '0'])),
  );
  perToken(app, engine, '/spread', (token) => ({ spread: spread(token) }));
  perTokenList(app, engine, '/spreads', (tokens) =>
    Object.fromEntries(tokens.map(({ token }) => [token.tokenId, spread(token)])),
  );
  perToken(app, engine, '/last-trade-price', (token) => lastTrade(token));
  perTokenList(app, engine, '/last-trades-prices', (tokens) =>
    tokens.map(({ token }) => ({ token_id: token.tokenId, ...lastTrade(token) })),
  );
}

function registerMarkets(app: FastifyInstance, engine: MatchingEngine): void {
  perToken(app, engine, '/tick-size', ({ market }) => ({ minimum_tick_size: tickToNumber(market.tick) }));
  perToken(app, engine, '/neg-risk', ({ market }) => ({ neg_risk: market.listing.negRisk }));
  perToken(app, engine, '/fee-rate', ({ market }) => ({ base_fee: market.listing.feeRate > 0 ? 1000 : 0 }));
  app.get<{ Params: { conditionId: string } }>('/clob-markets/:conditionId', (request, reply) =>
    perMarket(engine, request.params.conditionId, compactMarket, (answer) => send(reply, answer)),
  );
  app.get<{ Params: { conditionId: string } }>('/markets/:conditionId', (request, reply) =>
    perMarket(engine, request.params.conditionId, fullMarket, (answer) => send(reply, answer)),
  );
  app.get<{ Params: { tokenId: string } }>('/markets-by-token/:tokenId', (request, reply) => {
    const token = engine.directory.token(request.params.tokenId);
    if (token === undefined) return send(reply, MARKET_NOT_FOUND);
    const [primary, secondary] = token.market.tokens;
    const condition = token.market.listing.conditionId;
    return { condition_id: condition, primary_token_id: primary, secondary_token_id: secondary };
  });
  for (const url of ['/markets', '/sampling-markets', '/simplified-markets', '/sampling-simplified-markets']) {
    app.get<{ Querystring: { next_cursor?: string } }>(url, (request) =>
      page(engine.directory.all().map(fullMarket), request.query.next_cursor, MARKETS_PER_PAGE),
    );
  }
}

function perMarket<T>(
  engine: MatchingEngine,
  conditionId: string,
  show: (market: Market) => unknown,
  reply: (answer: Answer) => T,
): T {
  const market = engine.directory.market(conditionId);
  return reply(market === undefined ? MARKET_NOT_FOUND : ok(show(market)));
}

function perToken(
  app: FastifyInstance,
  engine: MatchingEngine,
  url: string,
  show: (token: Token, side: string) => unknown,
): void {
  app.get(url, (request, reply) => {
    const parsed = tokenQuery.safeParse(request.query);
    if (!parsed.success) return send(reply, refused(400, 'Invalid token id'));
    const token = engine.directory.token(parsed.data.token_id);
    const shown = token === undefined ? NO_ORDERBOOK : show(token, parsed.data.side?.toUpperCase() ?? '');
    return send(reply, shown === NO_ORDERBOOK ? NO_ORDERBOOK : ok(shown));
  });
}

/** The list form of a per-token call; tokens that are not listed are left out, as on the venue. */
function perTokenList(
  app: FastifyInstance,
  engine: MatchingEngine,
  url: string,
  show: (tokens: { token: Token; side: string }[]) => unknown,
): void {
  app.post(url, (request, reply) => {
    const parsed = tokenList.safeParse(jsonOf(request.body));
    if (!parsed.success) return send(reply, refused(400, 'Invalid payload'));
    if (parsed.data.length > MAX_TOKENS_PER_CALL) return send(reply, refused(400, 'Payload exceeds the limit'));
    const tokens = parsed.data.flatMap(({ token_id, side }) => {
      const token = engine.directory.token(token_id);
      return token === undefined ? [] : [{ token, side: side?.toUpperCase() ?? '' }];
    });
    return send(reply, ok(show(tokens)));
  });
}

/** The best price of a side: BUY is the best bid, SELL the best ask. */
function sidePrice({ market, outcome }: Token, side: string): string {
  return priceText(bestPrice(market, outcome, side === 'SELL' ? 'ask' : 'bid'));
}

function spread({ market, outcome }: Token): string {
  const bid = bestPrice(market, outcome, 'bid');
  const ask = bestPrice(market, outcome, 'ask');
  return bid === undefined || ask === undefined ? '0' : microToText(ask - bid);
}

function lastTrade({ market, outcome }: Token) {
  const last = market.lastTrade;
  if (last === undefined) return { price: '0.5', side: '' };
  const isSameToken = last.outcome === outcome;
  const side = isSameToken ? last.side : last.side === 'BUY' ? 'SELL' : 'BUY';
  return { price: lastTradePrice(market, outcome), side };
}

function compactMarket(market: Market) {
  const { listing } = market;
  const reported = statedBy('clob', market);
  return {
    c: listing.conditionId,
    t: reported.tokens.map((tokenId, position) => ({ t: tokenId, o: listing.outcomes[position] })),
    mos: sharesToNumber(reported.minSize),
    mts: tickToNumber(reported.tick),
    nr: reported.negRisk,
    ao: market.isAccepting,
    sd: market.delayMs / 1000,
    itode: false,
    fd: { r: fractionToNumber(reported.feeRate), e: 1, to: true },
  };
}

function fullMarket(market: Market) {
  const { listing, winner, payouts } = market;
  const reported = statedBy('clob', market);
  return {
    condition_id: listing.conditionId,
    question_id: listing.questionId,
    question: listing.question,
    market_slug: listing.slug,
    tokens: reported.tokens.map((tokenId, position) => ({
      token_id: tokenId,
      outcome: listing.outcomes[position],
      price: Number(midpoint(market, position === 0 ? 0 : 1) ?? 0),
      winner: winner === position,
    })),
    active: true,
    closed: payouts !== undefined,
    archived: false,
    accepting_orders: market.isAccepting,
    enable_order_book: true,
    minimum_order_size: sharesToNumber(reported.minSize),
    minimum_tick_size: tickToText(reported.tick),
    neg_risk: reported.negRisk,
    neg_risk_market_id: market.event.negRiskMarketId,
    end_date_iso: instantToIso(listing.endsAt),
    seconds_delay: market.delayMs / 1000,
  };
}
