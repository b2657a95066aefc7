import { type Fraction, fractionFromText } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type Price, priceFromNumber, type Tick, tickFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import type { Hex } from 'viem';
import type { OutcomeIndex } from '../matching/order.ts';
import type { TokenPair } from '../matching/transfer.ts';
import { hashId, LINE, positionIds, shortHashId, slugOf, tokenIdOf } from './ids.ts';
import { FEE_RATES, type ListedEvent, type ListedOutcome, type OutcomeDetail, type Protocol } from './listed-event.ts';
import { LISTED_EVENTS } from './listed-events.ts';

/** A market as it is listed: what does not change while it trades, and the tick it starts with. */
export interface MarketListing {
  readonly id: string;
  readonly conditionId: string;
  readonly questionId: string;
  readonly slug: string;
  readonly question: string;
  /** The rules text, as the venue's `description` has it, and where it looks the result up. */
  readonly rules: string;
  readonly resolutionSource: string;
  readonly groupItemTitle: string;
  /** Its place in the event's list on a page, which says nothing of its threshold. */
  readonly displayOrder: number;
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
  /** The ranges of the event's variable in which it wins, from the first up to the second, which is left out. */
  readonly range: readonly [number, number] | null;
  /** What the venue's own field calls its range, whether or not it is one. */
  readonly shownRange: readonly [number, number] | null;
  /** How it had been decided before the exchange opened. */
  readonly decided: OutcomeIndex | null;
  /** What it asks of a game, and the venue's number of that; null where it is of none. */
  readonly game: { readonly type: string; readonly line: number | null; readonly id: string | null } | null;
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
  /** Exactly one of the listed markets resolves to Yes. */
  readonly isExhaustive: boolean;
  /** The event is a ladder, and the venue states that. */
  readonly cumulative: boolean;
  /** Events of one kind that recur share it; null where the event stands alone. */
  readonly series: string | null;
  /** Names what its markets are ranges of: those of all events with the same one are worth what the ranges are. */
  readonly variable: string | null;
  readonly endsAt: Instant;
  readonly markets: readonly MarketListing[];
}

const MIN_ORDER_SHARES = sharesFromText('5');
const DAY_MS = 86_400_000;
const FIRST_EVENT_ID = 40_000;
const FIRST_MARKET_ID = 900_000;

/**
 * The seeded catalogue, its end dates counted from the start of the day `now` falls in.
 * @param more listed behind the events that are always there
 */
export function buildCatalogue(seed: number, now: Instant, more: readonly ListedEvent[] = []): EventListing[] {
  if (more.length > 0) return listAll(seed, now, [...LISTED_EVENTS, ...more]);
  const key = `${seed} ${Math.floor(now / DAY_MS)}`;
  const listed = listedBefore.get(key) ?? listAll(seed, now, LISTED_EVENTS);
  listedBefore.set(key, listed);
  return [...listed];
}

/** By seed and day: a process that opens one exchange after the other would spend most of that on hashing their ids. */
const listedBefore = new Map<string, readonly EventListing[]>();

function listAll(seed: number, now: Instant, events: readonly ListedEvent[]): EventListing[] {
  let marketId = FIRST_MARKET_ID;
  return events.map((event, position) => {
    const slug = slugOf(event.title);
    const endsAt = endOf(now, event.daysAhead);
    const isNegRisk = event.kind === 'exclusive' || event.kind === 'augmented';
    return {
      id: String(FIRST_EVENT_ID + position),
      slug,
      title: event.title,
      negRisk: isNegRisk,
      augmented: event.kind === 'augmented',
      negRiskMarketId: isNegRisk ? hashId(seed, 'event', slug) : '',
      isLadder: event.ladder !== undefined,
      isExhaustive: event.kind === 'exclusive' && listsAll(event),
      cumulative: event.ladder === 'declared',
      series: event.series ?? null,
      variable: event.variable ?? null,
      endsAt,
      markets: event.outcomes.map((outcome, index) =>
        listMarket({ seed, event, outcome, index, now, eventSlug: slug, id: String(marketId++) }),
      ),
    };
  });
}

/** Protocol V2 has an outcome for all that is not named. */
function listsAll({ unlistedBefore, protocol, listsOther }: ListedEvent): boolean {
  return unlistedBefore === undefined && (protocol !== 'v2' || listsOther === true);
}

interface MarketEntry {
  readonly seed: number;
  readonly event: ListedEvent;
  readonly eventSlug: string;
  readonly outcome: ListedOutcome;
  /** Its place among the outcomes, from 0. */
  readonly index: number;
  readonly now: Instant;
  readonly id: string;
}

function listMarket(entry: MarketEntry): MarketListing {
  const { seed, event, outcome, index, now, id } = entry;
  const [named, percent, detail = {}] = outcome;
  const endsAt = endOf(now, typeof named === 'number' ? named : (detail.daysAhead ?? event.daysAhead));
  const name = typeof named === 'number' ? dayName(endsAt) : named;
  const question = detail.question ?? event.question.replace('%', () => name);
  const slug = slugOf(`${question} ${detail.listedAs ?? ''}`);
  const isNegRisk = event.kind === 'exclusive' || event.kind === 'augmented';
  return {
    id,
    ...idsOf(entry, slug, detail),
    questionId: isNegRisk
      ? countedId(hashId(seed, 'question', event.title), placeOf(event, index))
      : hashId(seed, 'question', slug),
    slug,
    question,
    rules: rulesOf(question, endsAt, detail.clause ?? event.clause),
    resolutionSource: `https://results.example/${event.category.toLowerCase()}`,
    groupItemTitle: name,
    displayOrder: index,
    outcomes: detail.outcomes ?? ['Yes', 'No'],
    protocol: event.protocol ?? 'v1',
    tick: tickFromText(event.tick),
    minSize: MIN_ORDER_SHARES,
    feeRate: fractionFromText(FEE_RATES[event.category]),
    feeType: `${event.category.toLowerCase()}_fees`,
    negRisk: isNegRisk,
    endsAt,
    openingPrice: priceFromNumber(percent / 100),
    range: detail.range ?? null,
    shownRange: detail.shownRange ?? null,
    decided: detail.decided === undefined ? null : detail.decided === 'Yes' ? 0 : 1,
    game: detail.game === undefined ? null : { ...detail.game, id: gameId(seed, event) },
  };
}

/** Ids of Protocol V2 carry the event's structure, those of binary markets nothing but their own name. */
function idsOf(
  { seed, event, eventSlug, index }: MarketEntry,
  slug: string,
  { range }: OutcomeDetail,
): { conditionId: Hex; tokens: [string, string] } {
  if (event.protocol !== 'v2' || event.kind === 'separate') {
    const conditionId = event.protocol === 'v2' ? shortHashId : hashId;
    return {
      conditionId: conditionId(seed, 'condition', slug),
      tokens: [tokenIdOf(seed, 'token', slug, 0), tokenIdOf(seed, 'token', slug, 1)],
    };
  }
  const eventHash = hashId(seed, 'event', eventSlug);
  if (event.kind !== 'directional') {
    const places = event.outcomes.length + (event.unlistedBefore === undefined ? 0 : 1);
    const arity = places - (event.listsOther === true ? 1 : 0);
    return positionIds({ module: 'negative risk', eventHash, arity, condition: placeOf(event, index) });
  }
  const [from, to] = range ?? [0, 0];
  const arity = Math.max(...event.outcomes.map(([, , detail]) => detail?.range?.[1] ?? 0));
  const isThreshold = from > 0 && to === arity && index >= arity;
  return positionIds({ module: 'directional', eventHash, arity, condition: isThreshold ? LINE | from : from });
}

function gameId(seed: number, { game }: ListedEvent): string | null {
  return game === undefined ? null : String(Number.parseInt(hashId(seed, 'game', game).slice(2, 10), 16));
}

/** As the contract counts it. */
function placeOf({ unlistedBefore }: ListedEvent, index: number): number {
  return index + (unlistedBefore !== undefined && index >= unlistedBefore ? 1 : 0);
}

function endOf(now: Instant, daysAhead: number): Instant {
  return ((Math.floor(now / DAY_MS) + daysAhead) * DAY_MS + DAY_MS / 2) as Instant;
}

const DAY = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' });

/** "December 31, 2026" */
function dayName(at: Instant): string {
  return DAY.format(at);
}

function rulesOf(question: string, endsAt: Instant, clause: string | undefined): string {
  const rule = `This market resolves to Yes if the answer to "${question}" is yes by ${dayName(endsAt)}, by the official announcement, and to No otherwise.`;
  return clause === undefined ? rule : `${rule} ${clause}`;
}

/** The last byte of a negative-risk question counts it within its event. */
function countedId(id: Hex, place: number): Hex {
  return `${id.slice(0, -2)}${place.toString(16).padStart(2, '0')}` as Hex;
}
