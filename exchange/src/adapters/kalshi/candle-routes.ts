import type { Price } from '@dutchbook/units/price.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Answer, flat, MARKET_NOT_FOUND, NOT_FOUND, ok } from './answers.ts';
import { type CallParts, publicGet } from './calls.ts';
import { CANDLE_MINUTES, type Candle, endOfPeriod, type Range } from './candles.ts';
import type { MarketOfVenue } from './catalogue/listing.ts';
import { count, dollars } from './text.ts';
import type { KalshiVenue } from './venue.ts';

const MARKETS_MAX = 100;
/** Of all markets of a call together. */
const CANDLES_MAX = 10_000;

const second = z.coerce.number().int().nonnegative();
const period = z.object({
  start_ts: second,
  end_ts: second,
  period_interval: z.coerce
    .number()
    .refine((minutes) => CANDLE_MINUTES.some((each) => each === minutes), 'period_interval is 1, 60 or 1440'),
  include_latest_before_start: z.enum(['true', 'false']).optional(),
});
type Period = z.infer<typeof period>;

const TOO_MANY_CANDLES = flat(400, 'invalid_parameters', `more than ${CANDLES_MAX} candlesticks`);
const WRONG_PERIOD = flat(400, 'invalid_parameters', 'end_ts is before start_ts');

/** Candles of one market, of several, and of all markets of an event. */
export function registerCandles(app: FastifyInstance, parts: CallParts): void {
  const { venue } = parts;
  publicGet(app, parts, '/series/:series/markets/:ticker/candlesticks', period, ({ params, query }) => {
    const market = venue.market(params.ticker ?? '');
    if (market === undefined || market.event.series.ticker !== params.series) return MARKET_NOT_FOUND;
    if (venue.isArchived(market)) return MARKET_NOT_FOUND;
    return bounded([market], query, ([candlesticks = []]) => ok({ ticker: market.ticker, candlesticks }), venue);
  });
  const several = period.extend({ market_tickers: z.string().max(20_000) });
  publicGet(app, parts, '/markets/candlesticks', several, ({ query }) => {
    const tickers = [...new Set(query.market_tickers.split(','))];
    if (tickers.length > MARKETS_MAX) return flat(400, 'invalid_parameters', `more than ${MARKETS_MAX} markets`);
    const markets = tickers.flatMap((ticker) => venue.market(ticker) ?? []).filter((each) => !venue.isArchived(each));
    const answer = (all: Wire[][]) =>
      ok({ markets: markets.map(({ ticker }, place) => ({ market_ticker: ticker, candlesticks: all[place] ?? [] })) });
    return bounded(markets, query, answer, venue);
  });
  publicGet(app, parts, '/series/:series/events/:ticker/candlesticks', period, ({ params, query }) => {
    const event = venue.events.find(({ ticker }) => ticker === params.ticker);
    if (event === undefined || event.series.ticker !== params.series) return NOT_FOUND;
    const end = adjustedEnd(query, event.markets.length);
    const answer = (all: Wire[][]) =>
      ok({ market_tickers: event.markets.map(({ ticker }) => ticker), market_candlesticks: all, adjusted_end_ts: end });
    return bounded(event.markets, { ...query, end_ts: end }, answer, venue);
  });
  publicGet(app, parts, '/historical/markets/:ticker/candlesticks', period, ({ params, query }) => {
    const market = venue.market(params.ticker ?? '');
    if (market === undefined || !venue.isArchived(market)) return MARKET_NOT_FOUND;
    if (query.end_ts < query.start_ts) return WRONG_PERIOD;
    const candles = venue.candles.of(market, query.period_interval, query.start_ts, query.end_ts);
    return ok({ ticker: market.ticker, candlesticks: candles.map(wireHistoricalCandle) });
  });
}

type Wire = ReturnType<typeof wireCandle>;

function bounded(
  markets: readonly MarketOfVenue[],
  query: Period,
  answer: (candlesticks: Wire[][]) => Answer,
  venue: KalshiVenue,
): Answer {
  if (query.end_ts < query.start_ts) return WRONG_PERIOD;
  const all = markets.map((market) => candlesIn(venue, market, query));
  return all.flat().length > CANDLES_MAX ? TOO_MANY_CANDLES : answer(all);
}

/** An event has as many periods as all its markets together may have candles of. */
function adjustedEnd({ start_ts: start, end_ts: end, period_interval: minutes }: Period, markets: number): number {
  const periods = Math.max(1, Math.floor(CANDLES_MAX / Math.max(1, markets)) - 1);
  return Math.min(end, start + periods * minutes * 60);
}

function candlesIn({ candles }: KalshiVenue, market: MarketOfVenue, query: Period): Wire[] {
  const { start_ts: start, end_ts: end, period_interval: minutes, include_latest_before_start: wantsLatest } = query;
  const found = candles.of(market, minutes, start, end).map(wireCandle);
  const latest = wantsLatest === 'true' ? candles.before(market, minutes, start) : undefined;
  if (latest === undefined) return found;
  const first = wireLatest(latest, endOfPeriod(start, minutes));
  return found[0]?.end_period_ts === first.end_period_ts ? found : [first, ...found];
}

/** The candle before the first one: no prices of its own, and the last earlier price as previous. */
function wireLatest(candle: Candle, end: number): Wire {
  const { bid, ask, openInterest, previous } = candle;
  const still = ({ close }: Range) => ({ open: close, low: close, high: close, close });
  const last = candle.price?.close ?? previous;
  return wireCandle({
    ...{ end, openInterest, previous: last, bid: still(bid), ask: still(ask), price: null },
    ...{ volume: NONE, paid: 0n, traded: NONE },
  });
}

const NONE = 0 as Candle['volume'];

export function wireCandle(candle: Candle) {
  const { end, bid, ask, price, previous, volume, openInterest } = candle;
  const mean = meanOf(candle);
  return {
    end_period_ts: end,
    yes_bid: wireRange(bid),
    yes_ask: wireRange(ask),
    price: {
      ...(price === null
        ? {}
        : { ...wireRange(price), min_dollars: dollars(price.low), max_dollars: dollars(price.high) }),
      ...(mean === null ? {} : { mean_dollars: dollars(mean) }),
      ...(previous === null ? {} : { previous_dollars: dollars(previous) }),
    },
    volume_fp: count(volume),
    open_interest_fp: count(openInterest),
  };
}

function wireRange({ open, low, high, close }: Range) {
  return {
    open_dollars: dollars(open),
    low_dollars: dollars(low),
    high_dollars: dollars(high),
    close_dollars: dollars(close),
  };
}

/** Of archived markets fields have no unit in their names, and prices that are not there are null. */
export function wireHistoricalCandle(candle: Candle) {
  const { end, bid, ask, price, previous, volume, openInterest } = candle;
  const text = (value: Price | null | undefined) => (value === null || value === undefined ? null : dollars(value));
  const range = ({ open, low, high, close }: Range) => ({
    ...{ open: dollars(open), low: dollars(low), high: dollars(high), close: dollars(close) },
  });
  return {
    end_period_ts: end,
    yes_bid: range(bid),
    yes_ask: range(ask),
    price: {
      ...{ open: text(price?.open), low: text(price?.low), high: text(price?.high), close: text(price?.close) },
      ...{ mean: text(meanOf(candle)), previous: text(previous) },
    },
    volume: count(volume),
    open_interest: count(openInterest),
  };
}

/** By contracts. */
function meanOf({ paid, traded }: Candle): Price | null {
  return traded === 0 ? null : (Number(paid / BigInt(traded)) as Price);
}
