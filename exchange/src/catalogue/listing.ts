import { type Fraction, fractionFromText } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type Price, priceFromNumber, type Tick, tickFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import type { Hex } from 'viem';
import type { TokenPair } from '../matching/transfer.ts';
import { hashId, shortHashId, slugOf, tokenIdOf } from './ids.ts';
import { FEE_RATES, LISTED_EVENTS, type ListedEvent, type Protocol } from './listed-events.ts';

/** A market as it is listed: what does not change while it trades, and the tick it starts with. */
export interface MarketListing {
  readonly id: string;
  readonly conditionId: string;
  readonly questionId: string;
  readonly slug: string;
  readonly question: string;
  /** The rules text, as the venue's `description` has it. */
  readonly rules: string;
  readonly groupItemTitle: string;
  readonly outcomes: readonly [string, string];
  readonly tokens: TokenPair;
  readonly protocol: Protocol;
  readonly tick: Tick;
  readonly minSize: Shares;
  readonly feeRate: Fraction;
  readonly feeType: string;
  readonly negRisk: boolean;
  readonly endsAt: Instant;
  /** Where the makers' price starts. */
  readonly openingPrice: Price;
}

export interface EventListing {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly negRisk: boolean;
  /** An outcome that is not listed may win: the listed ones are no complete set. */
  readonly augmented: boolean;
  readonly negRiskMarketId: string;
  /** The markets stand easiest first, and each implies those before it. */
  readonly isLadder: boolean;
  /** One of the listed markets resolves to Yes. */
  readonly isExhaustive: boolean;
  /** It is a ladder, and the venue says so. */
  readonly cumulative: boolean;
  /** Events of one kind that recur share it; null where the event stands alone. */
  readonly series: string | null;
  readonly endsAt: Instant;
  readonly markets: readonly MarketListing[];
}

const MIN_ORDER_SHARES = sharesFromText('5');
const DAY_MS = 86_400_000;
const FIRST_EVENT_ID = 40_000;
const FIRST_MARKET_ID = 900_000;

/** The seeded catalogue, its end dates counted from the start of the day `now` falls in. */
export function buildCatalogue(seed: number, now: Instant): EventListing[] {
  let marketId = FIRST_MARKET_ID;
  return LISTED_EVENTS.map((event, position) => {
    const slug = slugOf(event.title);
    const endsAt = endOf(now, event.daysAhead);
    return {
      id: String(FIRST_EVENT_ID + position),
      slug,
      title: event.title,
      negRisk: event.kind !== 'separate',
      augmented: event.kind === 'augmented',
      negRiskMarketId: event.kind === 'separate' ? '' : hashId(seed, 'event', slug),
      isLadder: event.ladder !== undefined,
      isExhaustive: event.kind === 'exclusive' && event.unlistedBefore === undefined,
      cumulative: event.ladder === 'declared',
      series: event.series ?? null,
      endsAt,
      markets: event.outcomes.map((outcome, index) => {
        const marketEnd = typeof outcome[0] === 'number' ? endOf(now, outcome[0]) : endsAt;
        return listMarket({ seed, event, outcome, index, endsAt: marketEnd, id: String(marketId++) });
      }),
    };
  });
}

interface MarketEntry {
  readonly seed: number;
  readonly event: ListedEvent;
  readonly outcome: ListedEvent['outcomes'][number];
  /** Its place among the outcomes, from 0. */
  readonly index: number;
  readonly endsAt: Instant;
  readonly id: string;
}

function listMarket({ seed, event, outcome, index, endsAt, id }: MarketEntry): MarketListing {
  const [named, percent] = outcome;
  const name = typeof named === 'number' ? dayName(endsAt) : named;
  const question = event.question.replace('%', () => name);
  const slug = slugOf(question);
  const protocol = event.protocol ?? 'v1';
  const place = index + (event.unlistedBefore !== undefined && index >= event.unlistedBefore ? 1 : 0);
  const conditionId = protocol === 'v2' ? shortHashId : hashId;
  return {
    id,
    conditionId: conditionId(seed, 'condition', slug),
    questionId:
      event.kind === 'separate'
        ? hashId(seed, 'question', slug)
        : countedId(hashId(seed, 'question', event.title), place),
    slug,
    question,
    rules: rulesOf(question, endsAt),
    groupItemTitle: name,
    outcomes: ['Yes', 'No'],
    tokens: [tokenIdOf(seed, 'token', slug, 0), tokenIdOf(seed, 'token', slug, 1)],
    protocol,
    tick: tickFromText(event.tick),
    minSize: MIN_ORDER_SHARES,
    feeRate: fractionFromText(FEE_RATES[event.category]),
    feeType: `${event.category.toLowerCase()}_fees`,
    negRisk: event.kind !== 'separate',
    endsAt,
    openingPrice: priceFromNumber(percent / 100),
  };
}

function endOf(now: Instant, daysAhead: number): Instant {
  return ((Math.floor(now / DAY_MS) + daysAhead) * DAY_MS + DAY_MS / 2) as Instant;
}

/** "December 31, 2026" */
function dayName(at: Instant): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' }).format(at);
}

function rulesOf(question: string, endsAt: Instant): string {
  return `This market resolves to Yes if the answer to "${question}" is yes by ${dayName(endsAt)}, by the official announcement, and to No otherwise.`;
}

/** The last byte of a negative-risk question counts it within its event. */
function countedId(id: Hex, place: number): Hex {
  return `${id.slice(0, -2)}${place.toString(16).padStart(2, '0')}` as Hex;
}
