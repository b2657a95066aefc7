import { type Fraction, fractionFromText } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { isOnTick, PRICE_ONE, type Price, type Tick, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { hashId } from '../catalogue/ids.ts';
import type { EventListing, MarketListing } from '../catalogue/listing.ts';
import { FINEST_TICK, TICKS } from '../catalogue/ticks.ts';
import { framesOf } from './frames.ts';
import { type RecordedRow, RecordingError, readRecording } from './recording.ts';

/** A recording does not say what taker fee its markets charged; this is the venue's rate for sports. */
const ASSUMED_FEE_RATE: Fraction = fractionFromText('0.05');
/** What a market has until a price says that its grid is finer. */
const COARSEST_TICK: Tick = tickFromText('0.01');
const LISTED_FOR_MS = 30 * 86_400_000;

interface SurveyedMarket {
  readonly tokens: readonly [string, string];
  tick: Tick;
}

/**
 * Reads a recording once to learn its markets: tokens that mirror each other are the two outcomes of one market.
 * @throws RecordingError for a recording without a row, and for a token that never shows its other outcome.
 */
export async function surveyRecording(files: readonly string[], now: Instant): Promise<EventListing[]> {
  const byToken = new Map<string, SurveyedMarket>();
  const tokens = new Set<string>();
  for await (const frames of framesOf(readRecording(files))) {
    for (const [row, mirror] of frames) {
      tokens.add(row.tokenId);
      if (mirror !== undefined) note(byToken, row, mirror);
    }
  }
  if (tokens.size === 0) throw new RecordingError(`${files.join(', ')}: the recording is empty`);
  const alone = [...tokens].find((token) => !byToken.has(token));
  if (alone !== undefined) throw new RecordingError(`token ${alone} never appears together with its other outcome`);
  return [recordedEvent([...new Set(byToken.values())], now)];
}

function note(byToken: Map<string, SurveyedMarket>, row: RecordedRow, mirror: RecordedRow): void {
  const tokens = [row.tokenId, mirror.tokenId] as const;
  const known = byToken.get(row.tokenId) ?? byToken.get(mirror.tokenId);
  if (known !== undefined && !tokens.every((token) => known.tokens.includes(token))) {
    throw new RecordingError(`token ${row.tokenId} mirrors two different tokens`);
  }
  const market = known ?? { tokens, tick: COARSEST_TICK };
  market.tick = TICKS.find((tick) => market.tick % tick === 0 && isOnTick(row.price, tick)) ?? FINEST_TICK;
  for (const token of tokens) byToken.set(token, market);
}

function recordedEvent(markets: readonly SurveyedMarket[], now: Instant): EventListing {
  const endsAt = (now + LISTED_FOR_MS) as Instant;
  return {
    id: '1',
    slug: 'recorded-session',
    title: 'Recorded session',
    negRisk: false,
    augmented: false,
    negRiskMarketId: '',
    isLadder: false,
    isExhaustive: false,
    cumulative: false,
    series: null,
    variable: null,
    endsAt,
    markets: markets.map((market, position) => recordedMarket(market, position + 1, endsAt)),
  };
}

function recordedMarket({ tokens, tick }: SurveyedMarket, number: number, endsAt: Instant): MarketListing {
  return {
    id: String(number),
    conditionId: hashId('recorded condition', tokens[0]),
    questionId: hashId('recorded question', tokens[0]),
    slug: `recorded-market-${number}`,
    question: `Recorded market ${number}`,
    rules: '',
    resolutionSource: '',
    groupItemTitle: `Market ${number}`,
    displayOrder: number - 1,
    outcomes: ['Yes', 'No'],
    game: null,
    tokens,
    protocol: 'v1',
    tick,
    minSize: sharesFromText('5'),
    feeRate: ASSUMED_FEE_RATE,
    feeType: 'sports_fees',
    negRisk: false,
    endsAt,
    openingPrice: (PRICE_ONE / 2) as Price,
    range: null,
    shownRange: null,
    decided: null,
  };
}
