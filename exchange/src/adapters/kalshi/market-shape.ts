import type { Instant } from '@dutchbook/units/instant.ts';
import { complement, PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { openInterestOf } from './candles.ts';
import type { EventOfVenue, MarketOfVenue, PriceRange } from './catalogue/listing.ts';
import { SHARDS } from './members.ts';
import { resultOf } from './states.ts';
import { count, dollars, time } from './text.ts';
import { type KalshiVenue, levelsOf } from './venue.ts';

const FAR_AHEAD_MS = 7 * 86_400_000;

export function wireSeries({ series }: EventOfVenue) {
  return {
    ticker: series.ticker,
    frequency: 'custom',
    title: series.title,
    category: series.category,
    categories: [series.category],
    tags: [],
    settlement_sources: SOURCES,
    contract_url: `https://rules.example/${series.ticker.toLowerCase()}.pdf`,
    contract_terms_url: `https://rules.example/${series.ticker.toLowerCase()}-terms.pdf`,
    fee_type: series.feeType,
    fee_multiplier: Number(series.feeMultiplier),
    additional_prohibitions: [],
    exchange_index: series.shard,
  };
}

const SOURCES = [{ name: 'Port Meridian Register', url: 'https://results.example/register' }];

export function wireEvent(venue: KalshiVenue, event: EventOfVenue, withMarkets: boolean) {
  return {
    event_ticker: event.ticker,
    series_ticker: event.series.ticker,
    sub_title: event.subTitle,
    title: event.title,
    collateral_return_type: collateralReturn(event),
    mutually_exclusive: event.kind !== 'ladder' && event.kind !== 'single',
    category: event.series.category,
    strike_date: time(event.closesAt),
    strike_period: '',
    settlement_sources: SOURCES,
    last_updated_ts: time(venue.states.of(event.markets[0] as MarketOfVenue).updatedAt),
    exchange_index: event.series.shard,
    ...(event.feeOverride === undefined
      ? {}
      : {
          fee_type_override: event.feeOverride.type,
          fee_multiplier_override: Number(event.feeOverride.multiplier),
        }),
    ...(withMarkets ? { markets: event.markets.map((market) => wireMarket(venue, market)) } : {}),
  };
}

function collateralReturn({ kind }: EventOfVenue): string {
  if (kind === 'ladder') return 'DIRECNET';
  return kind === 'single' ? '' : 'MECNET';
}

export function wireMarket(venue: KalshiVenue, market: MarketOfVenue) {
  const { ticker, event, listed } = market;
  const state = venue.states.of(market);
  const matched = venue.matched(market);
  const [bid] = levelsOf(matched, 'bid');
  const [ask] = levelsOf(matched, 'ask');
  const bidPrice = bid?.price ?? PRICE_ZERO;
  const askPrice = ask?.price ?? PRICE_ONE;
  const last = venue.fills.trades.findLast((trade) => trade.ticker === ticker && !trade.isBlock);
  const volume = venue.fills.trades.reduce((sum, trade) => (trade.ticker === ticker ? sum + trade.size : sum), 0);
  const opened = time(createdAt(market));
  return {
    ticker,
    event_ticker: event.ticker,
    market_type: 'binary',
    title: titleOf(market),
    subtitle: listed.name,
    yes_sub_title: listed.name,
    no_sub_title: listed.name,
    created_time: opened,
    updated_time: time(state.updatedAt),
    open_time: opened,
    close_time: time(state.closesAt),
    expected_expiration_time: time(event.closesAt),
    expiration_time: time(event.closesAt),
    latest_expiration_time: time((event.closesAt + FAR_AHEAD_MS) as typeof event.closesAt),
    settlement_timer_seconds: 300,
    status: state.status,
    yes_bid_dollars: dollars(bidPrice),
    yes_bid_size_fp: count(bid?.size ?? SHARES_ZERO),
    yes_ask_dollars: dollars(askPrice),
    yes_ask_size_fp: count(ask?.size ?? SHARES_ZERO),
    no_bid_dollars: dollars(complement(askPrice)),
    no_ask_dollars: dollars(complement(bidPrice)),
    last_price_dollars: dollars(last?.yesPrice ?? PRICE_ZERO),
    volume_fp: count(volume),
    volume_24h_fp: count(volume),
    result: resultOf(state),
    can_close_early: true,
    early_close_condition: 'This market closes early when the answer is known.',
    open_interest_fp: count(openInterestOf(venue, ticker)),
    notional_value_dollars: '1.0000',
    previous_yes_bid_dollars: dollars(bidPrice),
    previous_yes_ask_dollars: dollars(askPrice),
    previous_price_dollars: dollars(last?.yesPrice ?? PRICE_ZERO),
    expiration_value: '',
    ...(state.yesPays === null ? {} : { settlement_value_dollars: dollars(state.yesPays) }),
    ...(state.settledAt === null ? {} : { settlement_ts: time(state.settledAt) }),
    ...(state.feeWaivedUntil === null ? {} : { fee_waiver_expiration_time: time(state.feeWaivedUntil) }),
    ...wireStrike(market),
    rules_primary: state.rules ?? rulesOf(market),
    rules_secondary: state.rules === null ? 'The answer is what the Port Meridian Register prints first.' : '',
    price_level_structure: event.series.ticks,
    price_ranges: state.ranges.map(wireRange),
    exchange_index: event.series.shard,
  };
}

/** When a market was listed. */
export function createdAt({ event }: MarketOfVenue): Instant {
  return (event.closesAt - FAR_AHEAD_MS) as Instant;
}

function wireRange({ start, end, step }: PriceRange) {
  return { start: dollars(start), end: dollars(end), step: dollars(step) };
}

function wireStrike({ listed }: MarketOfVenue) {
  const { strike } = listed;
  switch (strike.type) {
    case 'structured':
      return { strike_type: strike.type, custom_strike: { name: strike.of } };
    case 'less':
      return { strike_type: strike.type, cap_strike: strike.cap };
    case 'between':
      return { strike_type: strike.type, floor_strike: strike.floor, cap_strike: strike.cap };
    default:
      return { strike_type: strike.type, floor_strike: strike.floor };
  }
}

function titleOf({ event, listed }: MarketOfVenue): string {
  if (event.kind === 'single') return event.title;
  return `${event.title.replace(/\?$/, '')}: ${listed.name}?`;
}

function rulesOf(market: MarketOfVenue): string {
  const { event, listed } = market;
  return `If the answer to "${event.title}" (${event.subTitle}) is ${listed.name}, then the market resolves to Yes.`;
}

/** Bids alone: what YES is asked for is what NO is bid, less than a dollar. The best comes last. */
export function wireBook(venue: KalshiVenue, market: MarketOfVenue, depth: number) {
  const matched = venue.matched(market);
  const side = (of: 'bid' | 'ask', priceOf: (price: Price) => Price) => {
    const levels = levelsOf(matched, of).slice(0, depth === 0 ? undefined : depth);
    return levels.reverse().map(({ price, size }) => [dollars(priceOf(price)), count(size)]);
  };
  return { yes_dollars: side('bid', (price) => price), no_dollars: side('ask', complement) };
}

export function wireStatus(venue: KalshiVenue) {
  const shards = SHARDS.map(({ index, description }) => {
    const { exchangeActive, transfersActive } = venue.states.shard(index);
    return {
      exchange_index: index,
      description,
      exchange_active: exchangeActive,
      trading_active: venue.isTrading(index),
      intra_exchange_transfers_active: transfersActive,
    };
  });
  const [{ exchange_active, trading_active, intra_exchange_transfers_active }] = shards as [(typeof shards)[0]];
  return { exchange_active, trading_active, intra_exchange_transfers_active, exchange_index_statuses: shards };
}
