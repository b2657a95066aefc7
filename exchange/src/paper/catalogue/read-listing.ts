import { FRACTION_ONE, FRACTION_ZERO, type Fraction, fractionFromText } from '@dutchbook/units/fraction.ts';
import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, type Price, priceFromText, type Tick, tickFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import type { Protocol } from '../../catalogue/listed-event.ts';
import type { EventListing, MarketListing } from '../../catalogue/listing.ts';
import type { Payouts } from '../../matching-engine/market.ts';

export type RawFields = Readonly<Record<string, unknown>>;

/** An event of the real venue, whose markets are added as they are read. */
export type MirroredEvent = EventListing & { readonly markets: MarketListing[] };

/** A market as the real venue lists it now. */
export interface ReadMarket {
  readonly listing: MarketListing;
  readonly isAccepting: boolean;
  /** How long orders that would trade at once are held. */
  readonly delayMs: number;
  /** Undefined until the venue says what its outcomes pay. */
  readonly payouts: Payouts | undefined;
}

/** Why a market is not traded on paper; a few sentences that are counted. */
export type LeftOutReason =
  | 'its condition id is missing'
  | 'it does not have two outcomes and two tokens'
  | 'its protocol version is not known'
  | 'its tick size is not known'
  | 'its minimum size is not known'
  | 'its fee is not known'
  | 'it has no order book';

/** Reads a market of Gamma, with numbers that may come as text and fields that may be null. */
export function readListing(raw: RawFields): ReadMarket | LeftOutReason {
  const conditionId = textOf(raw.conditionId);
  if (!/^0x[0-9a-fA-F]{62,64}$/.test(conditionId)) return 'its condition id is missing';
  const protocol = protocolOf(raw);
  if (protocol === undefined) return 'its protocol version is not known';
  const [first, second, ...moreOutcomes] = textsOf(raw.outcomes);
  const [yes, no, ...moreTokens] = textsOf(protocol === 'v2' ? raw.positionIds : raw.clobTokenIds);
  const isBinary = moreOutcomes.length === 0 && moreTokens.length === 0;
  if (!isBinary || !first || !second || !yes || !no || yes === no)
    return 'it does not have two outcomes and two tokens';
  const tick = readUnit(raw.orderPriceMinTickSize, tickOf);
  if (tick === undefined) return 'its tick size is not known';
  const minSize = readUnit(raw.orderMinSize, sizeOf);
  if (minSize === undefined) return 'its minimum size is not known';
  const feeRate = feeRateOf(raw);
  if (feeRate === undefined) return 'its fee is not known';
  if (raw.enableOrderBook === false) return 'it has no order book';
  const isClosed = raw.closed === true;
  return {
    listing: {
      ...{ id: textOf(raw.id), conditionId, questionId: textOf(raw.questionID), slug: textOf(raw.slug) },
      question: textOf(raw.question),
      // Texts that the catalogue serves as the venue wrote them.
      ...{ rules: '', resolutionSource: '', groupItemTitle: '', displayOrder: 0, shownRange: null, game: null },
      ...{ outcomes: [first, second], tokens: [yes, no], protocol, tick, minSize, feeRate },
      feeType: textOf(raw.feeType),
      negRisk: raw.negRisk === true,
      endsAt: readTime(raw.endDate),
      openingPrice: (PRICE_ONE / 2) as Price,
      ...{ range: null, decided: null },
    },
    isAccepting: raw.acceptingOrders === true && !isClosed,
    delayMs: Math.max(0, Math.min(DELAY_MAX_MS, 1000 * (Number(raw.secondsDelay ?? 0) || 0))),
    payouts: payoutsIn(raw),
  };
}

/** Reads an event of Gamma without its markets; undefined where it has no id. */
export function readEvent(raw: RawFields): MirroredEvent | undefined {
  const id = textOf(raw.id);
  if (id === '') return undefined;
  const series = Array.isArray(raw.series) ? (raw.series[0] as unknown) : undefined;
  return {
    id,
    slug: textOf(raw.slug),
    title: textOf(raw.title),
    negRisk: raw.enableNegRisk === true || raw.negRisk === true,
    augmented: raw.negRiskAugmented === true,
    negRiskMarketId: textOf(raw.negRiskMarketID),
    ...{ isLadder: raw.cumulativeMarkets === true, isExhaustive: false, cumulative: raw.cumulativeMarkets === true },
    series: isFields(series) ? textOf(series.slug) : null,
    // Members of Protocol V2 are held together by their ids.
    variable: id,
    endsAt: readTime(raw.endDate),
    markets: [],
  };
}

export function isFields(value: unknown): value is RawFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Empty for anything but a text or a number. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** A list of texts, which Gamma writes as one or as JSON in a text. */
export function textsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? parse(value) : value;
  return Array.isArray(list) ? list.map(textOf) : [];
}

const DELAY_MAX_MS = 60_000;
/** A condition of Protocol V2 has 31 bytes and a zero byte behind them. */
const CONDITION_OF_32_BYTES = /^0x[0-9a-f]{62}(?!00)[0-9a-f]{2}$/i;

/** Old records lack the version; only ids that no market of Protocol V2 can have prove that it is the first. */
function protocolOf(raw: RawFields): Protocol | undefined {
  if (raw.version === 'v1' || raw.version === 'v2') return raw.version;
  if (textOf(raw.version) !== '') return undefined;
  const isFirst = CONDITION_OF_32_BYTES.test(textOf(raw.conditionId)) && textsOf(raw.positionIds).length === 0;
  return isFirst && textsOf(raw.clobTokenIds).length > 0 ? 'v1' : undefined;
}

function tickOf(text: string): Tick | undefined {
  const tick = tickFromText(text);
  return PRICE_ONE % tick === 0 && tick < PRICE_ONE / 2 ? tick : undefined;
}

function sizeOf(text: string): Shares | undefined {
  const size = sharesFromText(text);
  return size >= 0 ? size : undefined;
}

/** A fee that is not `rate x price x (1 - price)` is unknown too. */
function feeRateOf(raw: RawFields): Fraction | undefined {
  if (raw.feesEnabled === false) return FRACTION_ZERO;
  const { feeSchedule: schedule } = raw;
  if (!isFields(schedule)) return undefined;
  const exponent = schedule.exponent ?? 1;
  if (Number(exponent) !== 1) return undefined;
  return readUnit(schedule.rate, (text) => {
    const rate = fractionFromText(text);
    return rate >= 0 && rate <= FRACTION_ONE ? rate : undefined;
  });
}

/** What a share of each outcome pays, in millionths of a dollar. Half each is also what an undecided market shows. */
function payoutsIn(raw: RawFields): Payouts | undefined {
  const status = textOf(raw.umaResolutionStatus);
  if (raw.closed !== true || (status !== '' && status !== 'resolved')) return undefined;
  const [first, second] = textsOf(raw.outcomePrices).map((text) => readUnit(text, priceFromText));
  if (first === undefined || second === undefined || first + second !== PRICE_ONE) return undefined;
  if (first === 0) return [0, 1];
  if (second === 0) return [1, 0];
  if (status !== 'resolved') return undefined;
  return first === second ? [1, 1] : [first, second];
}

function readTime(value: unknown): Instant {
  try {
    return instantFromIso(textOf(value));
  } catch {
    return 0 as Instant;
  }
}

/** Undefined for what is no number. */
function readUnit<T>(value: unknown, read: (text: string) => T | undefined): T | undefined {
  try {
    return typeof value === 'number' || (typeof value === 'string' && value !== '') ? read(String(value)) : undefined;
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
