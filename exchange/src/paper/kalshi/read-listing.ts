import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, PRICE_ZERO, type Price, priceFromText, tickFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import type { EventOfVenue, MarketOfVenue, PriceRange } from '../../adapters/kalshi/catalogue/listing.ts';
import { FEE_TYPES, type FeeType } from '../../adapters/kalshi/fees.ts';
import { SHARDS } from '../../adapters/kalshi/members.ts';
import { MARKET_STATUSES, type MarketState, type MarketStatus } from '../../adapters/kalshi/states.ts';
import { isFields, type RawFields, textOf } from '../catalogue/read-listing.ts';

/** Why a market is not traded on paper. */
export type LeftOutReason =
  | 'it has no yes and no'
  | 'it combines other markets'
  | 'its series is not known'
  | 'its fee is not known'
  | 'its prices are not known'
  | 'its status is not known'
  | 'its shard is not known';

/** A market as the real venue lists it now, and how things stand with it. */
export interface ReadMarket {
  readonly market: MarketOfVenue;
  readonly state: MarketState;
}

export interface ListedRaw {
  readonly series: RawFields | undefined;
  readonly event: RawFields;
  readonly market: RawFields;
}

/** Reads a market of the real venue by itself: those of one event share nothing but what is read of the event each time. */
export function readListing({ series, event, market }: ListedRaw): ReadMarket | LeftOutReason {
  if (textOf(market.market_type) !== 'binary') return 'it has no yes and no';
  if (textOf(market.mve_collection_ticker) !== '') return 'it combines other markets';
  if (series === undefined) return 'its series is not known';
  const shard = Number(market.exchange_index ?? event.exchange_index ?? 0);
  if (!SHARDS.some(({ index }) => index === shard)) return 'its shard is not known';
  const fee = feeOf(series, event);
  if (fee === undefined) return 'its fee is not known';
  const ranges = rangesIn(market.price_ranges);
  if (ranges === undefined) return 'its prices are not known';
  const state = stateOf(market, ranges);
  if (state === undefined) return 'its status is not known';
  const of: EventOfVenue = {
    ticker: textOf(event.event_ticker),
    title: textOf(event.title),
    subTitle: textOf(event.sub_title),
    kind: 'single',
    series: {
      ...{ ticker: textOf(series.ticker), title: textOf(series.title), category: textOf(series.category) },
      ...{ feeType: fee.type, feeMultiplier: fee.multiplier, shard, ticks: 'linear_cent', events: [] },
    },
    feeOverride: undefined,
    closesAt: state.closesAt,
    markets: [],
  };
  const ticker = textOf(market.ticker);
  const name = textOf(market.yes_sub_title);
  const listed = { ticker, name, percent: 50, strike: { type: 'structured', of: name } } as const;
  const read: MarketOfVenue = { ticker, event: of, listed, ranges, closesAt: state.closesAt };
  of.markets.push(read);
  return { market: read, state };
}

/** The best level of each side, which the list of markets tells; the ends of the scale stand for a side that is empty. */
export function touchOf(market: RawFields): { side: 'BUY' | 'SELL'; price: Price; size: Shares }[] {
  const level = (side: 'BUY' | 'SELL', priceText: unknown, sizeText: unknown) => {
    const [price, size] = [decimal(priceText, priceFromText), decimal(sizeText, sharesFromText)];
    const isThere = price !== undefined && price > PRICE_ZERO && price < PRICE_ONE && size !== undefined && size > 0;
    return isThere ? [{ side, price, size }] : [];
  };
  return [
    ...level('BUY', market.yes_bid_dollars, market.yes_bid_size_fp),
    ...level('SELL', market.yes_ask_dollars, market.yes_ask_size_fp),
  ];
}

/** Numbers come as text, and were seen bare. Undefined where it is none. */
export function decimal<Unit>(value: unknown, read: (text: string) => Unit): Unit | undefined {
  const text = typeof value === 'number' ? String(value) : textOf(value);
  if (!/^\d{1,12}(?:\.\d{1,6})?$/.test(text)) return undefined;
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

function feeOf(series: RawFields, event: RawFields): { type: FeeType; multiplier: string } | undefined {
  const type = FEE_TYPES.find((known) => known === (textOf(event.fee_type_override) || textOf(series.fee_type)));
  const multiplier = String(event.fee_multiplier_override ?? series.fee_multiplier ?? '');
  return type === undefined || decimal(multiplier, fractionFromText) === undefined ? undefined : { type, multiplier };
}

function rangesIn(raw: unknown): PriceRange[] | undefined {
  if (!Array.isArray(raw) || raw.length === 0) return undefined;
  const ranges = (raw as unknown[]).flatMap((range): PriceRange[] => {
    if (!isFields(range)) return [];
    const [start, end] = [decimal(range.start, priceFromText), decimal(range.end, priceFromText)];
    const step = decimal(range.step, tickFromText);
    return start === undefined || end === undefined || step === undefined ? [] : [{ start, end, step }];
  });
  return ranges.length === raw.length ? ranges : undefined;
}

function stateOf(market: RawFields, ranges: readonly PriceRange[]): MarketState | undefined {
  const said = MARKET_STATUSES.find((known) => known === textOf(market.status));
  const closesAt = timeOf(market.close_time);
  if (said === undefined || closesAt === null) return undefined;
  const yesPays = yesPaysIn(market);
  // A market whose result cannot be read is traded no more, and pays nothing yet.
  const status = DECIDED.has(said) && yesPays === null ? 'closed' : said;
  return {
    ...{ status, yesPays, closesAt, ranges, rules: null },
    settledAt: status === 'finalized' ? (timeOf(market.settlement_ts) ?? closesAt) : null,
    feeWaivedUntil: timeOf(market.fee_waiver_expiration_time),
    updatedAt: timeOf(market.updated_time) ?? instantFromMs(0),
  };
}

const DECIDED: ReadonlySet<MarketStatus> = new Set(['determined', 'disputed', 'amended', 'finalized']);

function yesPaysIn({ result, settlement_value_dollars }: RawFields): Price | null {
  if (result === 'yes') return PRICE_ONE;
  if (result === 'no') return PRICE_ZERO;
  return result === 'scalar' ? (decimal(settlement_value_dollars, priceFromText) ?? null) : null;
}

export function timeOf(value: unknown): Instant | null {
  try {
    return typeof value === 'string' && value !== '' ? instantFromIso(value) : null;
  } catch {
    return null;
  }
}
