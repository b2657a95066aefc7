import { type Fraction, fractionFromText } from '@dutchbook/units/fraction.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type Price, priceFromNumber, priceFromText, type Tick, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { EventListing, MarketListing } from '../../../catalogue/listing.ts';
import { type FeeTerms, takerRate } from '../fees.ts';
import { LISTED_SERIES, type ListedEvent, type ListedMarket, type ListedSeries } from './listed-events.ts';

/** From one price to another prices are stepped by this, both included. */
export interface PriceRange {
  readonly start: Price;
  readonly end: Price;
  readonly step: Tick;
}

export interface MarketOfVenue {
  readonly ticker: string;
  readonly event: EventOfVenue;
  readonly listed: ListedMarket;
  readonly ranges: readonly PriceRange[];
  readonly closesAt: Instant;
}

export interface EventOfVenue {
  readonly ticker: string;
  readonly title: string;
  readonly subTitle: string;
  readonly kind: ListedEvent['kind'];
  readonly series: ListedSeries;
  readonly feeOverride: ListedEvent['feeOverride'];
  readonly closesAt: Instant;
  readonly markets: MarketOfVenue[];
}

/** Shares of each outcome are called so in the matching engine. */
export const yesOf = (ticker: string): string => `${ticker}:yes`;
export const noOf = (ticker: string): string => `${ticker}:no`;

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const MINUTE_MS = 60_000;
const STEP_MS = 5 * MINUTE_MS;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Everything the venue lists, its ends counted from the start of the day, or of the quarter of an hour, that `now` falls in. */
export function listEvents(now: Instant): EventOfVenue[] {
  return LISTED_SERIES.flatMap((series) => series.events.map((event) => listEvent(series, event, now)));
}

/** Fees of an event: its own where it has any, else those of its series. */
export function feeTermsOf({ series, feeOverride }: EventOfVenue): FeeTerms {
  const { type, multiplier } = feeOverride ?? { type: series.feeType, multiplier: series.feeMultiplier };
  return { type, multiplier: fractionFromText(multiplier) };
}

/** What the matching engine and the makers need of an event. */
export function engineListing(event: EventOfVenue): EventListing {
  return {
    id: event.ticker,
    slug: event.ticker.toLowerCase(),
    title: event.title,
    negRisk: event.kind === 'tiles' || event.kind === 'sides',
    augmented: event.kind === 'menu',
    negRiskMarketId: '',
    isLadder: event.kind === 'ladder',
    isExhaustive: event.kind === 'tiles' || event.kind === 'sides',
    cumulative: event.kind === 'ladder',
    series: event.series.ticker,
    variable: null,
    endsAt: event.closesAt,
    markets: event.markets.map((market, place) => engineMarket(market, place)),
  };
}

function engineMarket({ ticker, event, listed, closesAt }: MarketOfVenue, place: number): MarketListing {
  return {
    id: ticker,
    conditionId: ticker,
    questionId: ticker,
    slug: ticker.toLowerCase(),
    question: event.title,
    rules: '',
    resolutionSource: '',
    groupItemTitle: listed.name,
    displayOrder: place,
    outcomes: ['Yes', 'No'],
    tokens: [yesOf(ticker), noOf(ticker)],
    protocol: 'v1',
    tick: CENT,
    minSize: LEAST_COUNT,
    feeRate: takerRate(feeTermsOf(event)) as Fraction,
    feeType: event.series.feeType,
    negRisk: false,
    endsAt: closesAt,
    openingPrice: priceFromNumber(listed.percent / 100),
    range: null,
    shownRange: null,
    decided: null,
    game: null,
  };
}

const CENT = tickFromText('0.01');
const LEAST_COUNT = sharesFromText('0.01');

function listEvent(series: ListedSeries, listed: ListedEvent, now: Instant): EventOfVenue {
  const closesAt = endOf(listed.endsIn, now);
  const code = 'days' in listed.endsIn ? dayCode(closesAt) : `${dayCode(closesAt)}${clockCode(closesAt)}`;
  const event: EventOfVenue = {
    ticker: `${series.ticker}-${listed.ticker.replace('%', code)}`,
    title: listed.title,
    subTitle: listed.subTitle.replace('%', 'days' in listed.endsIn ? dayText(closesAt) : timeText(closesAt)),
    kind: listed.kind,
    series,
    feeOverride: listed.feeOverride,
    closesAt,
    markets: [],
  };
  const ranges = rangesOf(series.ticks);
  for (const market of listed.markets)
    event.markets.push({ ticker: `${event.ticker}-${market.ticker}`, event, listed: market, ranges, closesAt });
  return event;
}

function endOf(endsIn: ListedEvent['endsIn'], now: Instant): Instant {
  if ('days' in endsIn) return instantFromMs((Math.floor(now / DAY_MS) + endsIn.days + 1) * DAY_MS);
  if ('minutes' in endsIn) return instantFromMs(Math.floor(now / STEP_MS) * STEP_MS + endsIn.minutes * MINUTE_MS);
  return instantFromMs((Math.floor(now / QUARTER_MS) + endsIn.quarters) * QUARTER_MS);
}

function rangesOf(ticks: ListedSeries['ticks']): PriceRange[] {
  const range = (start: string, end: string, step: string): PriceRange => ({
    start: priceFromText(start),
    end: priceFromText(end),
    step: tickFromText(step),
  });
  if (ticks === 'linear_cent') return [range('0', '1', '0.01')];
  return [range('0', '0.1', '0.001'), range('0.1', '0.9', '0.01'), range('0.9', '1', '0.001')];
}

/** The last moment of a day is of that day. */
function lastDay(at: Instant): Date {
  return new Date(at - 1);
}

function dayCode(at: Instant): string {
  const day = lastDay(at);
  const month = MONTHS[day.getUTCMonth()] ?? '';
  return `${String(day.getUTCFullYear()).slice(2)}${month}${String(day.getUTCDate()).padStart(2, '0')}`;
}

function clockCode(at: Instant): string {
  return new Date(at).toISOString().slice(11, 16).replace(':', '');
}

function timeText(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function dayText(at: Instant): string {
  return lastDay(at).toISOString().slice(0, 10);
}
