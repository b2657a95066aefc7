import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price, Tick } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { EventListing, MarketListing } from '../catalogue/listing.ts';
import { CatalogueTrouble } from '../catalogue/trouble.ts';
import { Book } from '../matching/book.ts';
import type { MatchedMarket } from '../matching/matcher.ts';
import type { OutcomeIndex, Side } from '../matching/order.ts';
import type { TokenPair } from '../matching/transfer.ts';

/** The last trade, as the traded token saw it. */
export interface LastTrade {
  readonly tokenId: string;
  readonly outcome: OutcomeIndex;
  readonly price: Price;
  readonly side: Side;
}

/** `isListed` false: the catalogue does not show it any more. */
export interface MarketEdit {
  readonly question?: string;
  readonly rules?: string;
  readonly endsAt?: Instant;
  readonly isListed?: boolean;
  /** The oracle's words, the last of which holds. */
  readonly umaStatuses?: readonly string[];
}

/** False fields of a market in one service; the exchange trades by the listed ones. */
export interface Lie {
  readonly feeRate?: Fraction | undefined;
  readonly negRisk?: boolean | undefined;
  readonly tick?: Tick | undefined;
  readonly minSize?: Shares | undefined;
  /** Each outcome has the other's token. */
  readonly isSwapped?: boolean | undefined;
}

/** The services that each say what a market is. */
export type Source = 'gamma' | 'clob';

/** An addition to a market's rules after it was listed. */
export interface Clarification {
  readonly id: number;
  readonly market: Market;
  readonly content: string;
  readonly at: Instant;
}

/** What each outcome of a resolved market pays, as parts of a whole: one and nothing, or a half each. */
export type Payouts = readonly [number, number];

export function payoutsOf(winner: OutcomeIndex | 'half'): Payouts {
  if (winner === 'half') return [1, 1];
  return winner === 0 ? [1, 0] : [0, 1];
}

/** The outcome that pays all; undefined where both pay something. */
export function winnerOf([first, second]: Payouts): OutcomeIndex | undefined {
  if (second === 0) return 0;
  return first === 0 ? 1 : undefined;
}

/** A listed market with its live state. */
export interface Market extends MatchedMarket {
  /** Another one where a venue that is mirrored has changed what it lists. */
  listing: MarketListing;
  readonly event: EventListing;
  readonly tokens: TokenPair;
  readonly book: Book;
  tick: Tick;
  isAccepting: boolean;
  /** A new market is in the catalogue for minutes before its books are served. */
  hasBooks: boolean;
  /** How long orders that would trade at once are held before they are matched. */
  delayMs: number;
  /** Undefined until it is resolved; a market that pays half each has no winner. */
  payouts: Payouts | undefined;
  winner: OutcomeIndex | undefined;
  /** Whether the contracts know of the result as well; they learn of it after the venue. */
  isReported: boolean;
  /** Fields that were changed since the market was listed. */
  edited: MarketEdit;
  readonly lies: Map<Source, Lie>;
  lastTrade: LastTrade | undefined;
  /** When the book last changed: the clock of the recording during a replay. */
  bookAt: Instant;
  /** Counts the changes of the book: what its hash on the wire stands for. */
  bookRevision: number;
}

/** A market's fields in one service: the true ones, unless it lies. */
export function statedBy(source: Source, { listing, tick, tokens, lies }: Market) {
  const lie = lies.get(source) ?? {};
  const [first, second] = tokens;
  const reported: TokenPair = lie.isSwapped === true ? [second, first] : tokens;
  return {
    tokens: reported,
    feeRate: lie.feeRate ?? listing.feeRate,
    negRisk: lie.negRisk ?? listing.negRisk,
    tick: lie.tick ?? tick,
    minSize: lie.minSize ?? listing.minSize,
  };
}

/** Notes that the book changed. */
export function touchBook(market: Market, at: Instant): void {
  market.bookAt = at;
  market.bookRevision += 1;
}

/** A token of a market, found by its id. */
export interface Token {
  readonly market: Market;
  readonly outcome: OutcomeIndex;
  readonly tokenId: string;
}

/** All markets, by condition id and by token id. */
export class MarketDirectory {
  /** Events that the venue calls augmented, or not, otherwise than when it listed them. */
  readonly augmentedNow = new Map<string, boolean>();
  /** Fees of conversions by event, where not zero. */
  readonly keptBips = new Map<string, number>();
  /** In the order in which they were published. */
  readonly clarifications: Clarification[] = [];
  /** Planted faults of the catalogue. */
  readonly trouble = new CatalogueTrouble();
  readonly #events = new Set<EventListing>();
  readonly #onListed: ((event: EventListing) => void)[] = [];
  readonly #byCondition = new Map<string, Market>();
  readonly #byToken = new Map<string, Token>();

  constructor(events: readonly EventListing[], now: Instant) {
    for (const event of events) this.list(event, now);
  }

  get events(): readonly EventListing[] {
    return [...this.#events];
  }

  /** Adds an event, or the markets of it that are not there yet. */
  list(event: EventListing, now: Instant): void {
    this.#events.add(event);
    for (const listing of event.markets) {
      if (!this.#byCondition.has(listing.conditionId)) this.#add(openMarket(event, listing, now));
    }
    for (const react of this.#onListed) react(event);
  }

  /** Takes out a market in which nothing stands and nothing is held, and its event once that has no other. */
  unlist(conditionId: string): void {
    const market = this.#byCondition.get(conditionId);
    if (market === undefined) return;
    this.#byCondition.delete(conditionId);
    for (const tokenId of market.tokens) this.#byToken.delete(tokenId);
    const { event } = market;
    if (event.markets.every((listing) => !this.#byCondition.has(listing.conditionId))) this.#events.delete(event);
  }

  /** Calls back with each event that is there, and with each that is added or grows later. */
  onListed(react: (event: EventListing) => void): void {
    for (const event of this.#events) react(event);
    this.#onListed.push(react);
  }

  /** How many markets there are. */
  get size(): number {
    return this.#byCondition.size;
  }

  /** The fee of a conversion in a negative-risk event, in parts of ten thousand. */
  feeBips({ id }: EventListing): number {
    return this.keptBips.get(id) ?? 0;
  }

  all(): readonly Market[] {
    return [...this.#byCondition.values()];
  }

  market(conditionId: string): Market | undefined {
    return this.#byCondition.get(conditionId);
  }

  token(tokenId: string): Token | undefined {
    return this.#byToken.get(tokenId);
  }

  #add(market: Market): void {
    this.#byCondition.set(market.listing.conditionId, market);
    market.tokens.forEach((tokenId, position) => {
      this.#byToken.set(tokenId, { market, outcome: position === 0 ? 0 : 1, tokenId });
    });
  }
}

function openMarket(event: EventListing, listing: MarketListing, now: Instant): Market {
  return {
    listing,
    event,
    tokens: listing.tokens,
    book: new Book(),
    tick: listing.tick,
    isAccepting: listing.decided === null,
    hasBooks: true,
    delayMs: 0,
    payouts: listing.decided === null ? undefined : payoutsOf(listing.decided),
    winner: listing.decided ?? undefined,
    isReported: true,
    edited: {},
    lies: new Map(),
    lastTrade: undefined,
    bookAt: now,
    bookRevision: 0,
  };
}
