import { type Fraction, fractionFromText } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type Price, priceFromNumber, type Tick, tickFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
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
    const endsAt = ((Math.floor(now / DAY_MS) + event.daysAhead) * DAY_MS + DAY_MS / 2) as Instant;
    return {
      id: String(FIRST_EVENT_ID + position),
      slug,
      title: event.title,
      negRisk: event.kind !== 'separate',
      augmented: event.kind === 'augmented',
      negRiskMarketId: event.kind === 'separate' ? '' : hashId(seed, 'event', slug),
      endsAt,
      markets: event.outcomes.map(([name, percent]) =>
        listMarket({ seed, event, name, percent, endsAt, id: String(marketId++) }),
      ),
    };
  });
}

interface MarketEntry {
  readonly seed: number;
  readonly event: ListedEvent;
  readonly name: string;
  readonly percent: number;
  readonly endsAt: Instant;
  readonly id: string;
}

function listMarket({ seed, event, name, percent, endsAt, id }: MarketEntry): MarketListing {
  const question = event.question.replace('%', () => name);
  const slug = slugOf(question);
  const protocol = event.protocol ?? 'v1';
  const conditionId = protocol === 'v2' ? shortHashId : hashId;
  return {
    id,
    conditionId: conditionId(seed, 'condition', slug),
    questionId: hashId(seed, 'question', slug),
    slug,
    question,
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
