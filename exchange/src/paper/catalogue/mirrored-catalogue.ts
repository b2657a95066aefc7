import type { Instant } from '@dutchbook/units/instant.ts';
import { type Market, type Payouts, winnerOf } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { Positions } from '../../settlement/positions.ts';
import { ListingOrders } from './listing-order.ts';
import {
  isFields,
  type LeftOutReason,
  type MirroredEvent,
  type RawFields,
  type ReadMarket,
  readEvent,
  readListing,
  textOf,
  textsOf,
} from './read-listing.ts';

/** An event as the venue sent it, without its markets. */
export interface KeptEvent {
  /** Its place in the list. */
  readonly seq: number;
  readonly id: string;
  slug: string;
  isClosed: boolean;
  isActive: boolean;
  packed: Buffer;
  /** When it was read last with its markets, on the clock of `performance.now()`. */
  readAtMs: number;
  readonly listing: MirroredEvent;
  readonly markets: KeptMarket[];
}

/** A market as the venue sent it, without its events. */
export interface KeptMarket {
  readonly seq: number;
  readonly id: string;
  readonly conditionId: string;
  slug: string;
  tokens: readonly string[];
  isClosed: boolean;
  isActive: boolean;
  packed: Buffer;
  event: KeptEvent | undefined;
  /** When it was read last, on the clock of `performance.now()`. */
  readAtMs: number;
  leftOut: LeftOutReason | undefined;
  /** The reading of the whole catalogue that it was last part of. */
  seenIn: number;
}

export interface CatalogueParts {
  readonly engine: MatchingEngine;
  readonly positions: Positions;
}

/** More than the venue has ever listed; what is beyond is counted, not kept. */
const MARKETS_MAX = 300_000;

/** The catalogue of the real venue, kept as it came and listed for trading as far as it can be traded. */
export class MirroredCatalogue {
  readonly #engine: MatchingEngine;
  readonly #positions: Positions;
  readonly #events = new Map<string, KeptEvent>();
  readonly #markets = new Map<string, KeptMarket>();
  readonly #byCondition = new Map<string, KeptMarket>();
  readonly #byToken = new Map<string, KeptMarket>();
  readonly #eventsBySlug = new Map<string, KeptEvent>();
  readonly #marketsBySlug = new Map<string, KeptMarket>();
  readonly eventOrders = new ListingOrders<KeptEvent>();
  readonly marketOrders = new ListingOrders<KeptMarket>();
  readonly #waiting = new Set<() => void>();
  #sequence = 0;
  /** Whether the account has to do with an event. */
  isKept: (eventId: string) => boolean = () => false;
  /** Counts what has no id, or no room. */
  readonly #dropped = new Map<string, number>();

  constructor({ engine, positions }: CatalogueParts) {
    this.#engine = engine;
    this.#positions = positions;
  }

  markets(): Iterable<KeptMarket> {
    return this.#markets.values();
  }

  get size(): number {
    return this.#markets.size;
  }

  event(id: string): KeptEvent | undefined {
    return this.#events.get(id);
  }

  market(id: string): KeptMarket | undefined {
    return this.#markets.get(id);
  }

  byCondition(conditionId: string): KeptMarket | undefined {
    return this.#byCondition.get(conditionId);
  }

  byToken(tokenId: string): KeptMarket | undefined {
    return this.#byToken.get(tokenId);
  }

  eventBySlug(slug: string): KeptEvent | undefined {
    return this.#eventsBySlug.get(slug);
  }

  marketBySlug(slug: string): KeptMarket | undefined {
    return this.#marketsBySlug.get(slug);
  }

  /** Open markets that are not traded here, and what could not be kept, by reason. */
  leftOut(): { reason: string; count: number }[] {
    const counts = new Map(this.#dropped);
    for (const { leftOut, isClosed } of this.#markets.values()) {
      if (leftOut !== undefined && !isClosed) counts.set(leftOut, (counts.get(leftOut) ?? 0) + 1);
    }
    return [...counts].map(([reason, count]) => ({ reason, count }));
  }

  /** Begins a reading of the whole catalogue: what cannot be kept is counted anew. */
  beginReading(): void {
    this.#dropped.clear();
  }

  /** Counts an item of the venue that could not be read at all. */
  drop(reason: string): void {
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + 1);
  }

  /** Takes an event of Gamma with its markets, of the reading numbered `reading`. */
  learnEvent(raw: unknown, reading = 0): void {
    const event = isFields(raw) ? this.#keepEvent(raw) : undefined;
    if (event !== undefined) event.readAtMs = performance.now();
    if (event === undefined || !isFields(raw)) {
      this.drop('an event has no id');
      return;
    }
    for (const market of Array.isArray(raw.markets) ? (raw.markets as unknown[]) : []) {
      this.#keepMarket(market, event, reading);
    }
  }

  /** Takes a market of Gamma; its event is known by the head that it names. */
  learnMarket(raw: unknown, reading = 0): void {
    if (!isFields(raw)) {
      this.drop('a market is no object');
      return;
    }
    const head = Array.isArray(raw.events) ? (raw.events[0] as unknown) : undefined;
    const known = isFields(head) ? this.#events.get(textOf(head.id)) : undefined;
    const event = known ?? (isFields(head) ? this.#keepEvent(head) : undefined);
    this.#keepMarket(raw, event, reading);
  }

  /** Resolves when something has been learnt, at the latest after `ms`. */
  untilLearnt(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms).unref();
      this.#waiting.add(done);
    });
  }

  /** Lets those go on who wait for more. */
  announce(): void {
    for (const done of [...this.#waiting]) done();
  }

  /** A market as JSON text, with its event's head as the venue sends it. */
  marketText({ packed, event }: KeptMarket): string {
    const head = event === undefined ? '' : unpack(event.packed);
    return `${unpack(packed).slice(0, -1)},"events":[${head}]}`;
  }

  /** An event as JSON text, with its markets or without. */
  eventText({ packed, markets }: KeptEvent, withMarkets: boolean): string {
    if (!withMarkets) return unpack(packed);
    return `${unpack(packed).slice(0, -1)},"markets":[${markets.map((market) => unpack(market.packed)).join()}]}`;
  }

  #keepEvent(raw: RawFields): KeptEvent | undefined {
    const listing = readEvent(raw);
    if (listing === undefined) return undefined;
    const { markets: _, ...head } = raw;
    const known = this.#events.get(listing.id);
    const packed = pack(head);
    const seen = { slug: listing.slug, isClosed: raw.closed === true, isActive: raw.active !== false, packed };
    this.#noteRules(raw, listing);
    if (known !== undefined) {
      this.#eventsBySlug.set(seen.slug, known);
      return Object.assign(known, seen);
    }
    const event: KeptEvent = {
      seq: ++this.#sequence,
      id: listing.id,
      ...seen,
      readAtMs: Number.NEGATIVE_INFINITY,
      listing,
      markets: [],
    };
    this.#events.set(listing.id, event);
    this.#eventsBySlug.set(seen.slug, event);
    this.eventOrders.add(event);
    return event;
  }

  #noteRules(raw: RawFields, { id, augmented }: MirroredEvent): void {
    const { directory } = this.#engine;
    const feeBips = Number(raw.negRiskFeeBips ?? 0) || 0;
    if (feeBips > 0) directory.keptBips.set(id, feeBips);
    if (directory.augmentedNow.has(id) || augmented) directory.augmentedNow.set(id, augmented);
  }

  #keepMarket(raw: unknown, event: KeptEvent | undefined, reading: number): void {
    if (!isFields(raw)) {
      this.drop('a market is no object');
      return;
    }
    const conditionId = textOf(raw.conditionId);
    const id = textOf(raw.id) || conditionId;
    if (id === '') {
      this.drop('a market has no id');
      return;
    }
    const known = this.#markets.get(id);
    if (known === undefined && this.#markets.size >= MARKETS_MAX) {
      this.drop('there is no room for more markets');
      return;
    }
    const { events: _, ...fields } = raw;
    const read = readListing(raw);
    const seen = {
      slug: textOf(raw.slug),
      tokens: textsOf(raw.version === 'v2' ? raw.positionIds : raw.clobTokenIds),
      isClosed: raw.closed === true,
      isActive: raw.active !== false,
      packed: pack(fields),
      leftOut: typeof read === 'string' ? read : undefined,
      readAtMs: performance.now(),
      seenIn: Math.max(reading, known?.seenIn ?? 0),
    };
    const market = known ?? this.#addMarket({ seq: ++this.#sequence, id, conditionId, event, ...seen });
    if (known !== undefined) Object.assign(known, seen);
    if (market.event === undefined && event !== undefined) joinEvent(market, event);
    for (const token of market.tokens) this.#byToken.set(token, market);
    this.#marketsBySlug.set(market.slug, market);
    if (typeof read !== 'string') this.#trade(read, market);
  }

  #addMarket(market: KeptMarket): KeptMarket {
    this.#markets.set(market.id, market);
    this.marketOrders.add(market);
    if (market.conditionId !== '') this.#byCondition.set(market.conditionId, market);
    market.event?.markets.push(market);
    return market;
  }

  /** Lists a market for trading, or brings what is listed up to date. */
  #trade(read: ReadMarket, { event }: KeptMarket): void {
    const { directory } = this.#engine;
    const { conditionId } = read.listing;
    const listed = directory.market(conditionId);
    if (listed !== undefined) {
      this.#update(listed, read);
      return;
    }
    const of = event?.listing ?? aloneEvent(read);
    of.markets.push(read.listing);
    directory.list(of, 0 as Instant);
    const market = directory.market(conditionId);
    if (market === undefined) return;
    market.hasBooks = false;
    this.#update(market, read);
  }

  /** Most markets that are resolved were never held here, and nothing is written down of them. */
  #resolve(market: Market, payouts: Payouts): void {
    if (this.isKept(market.event.id)) {
      this.#positions.resolvePaying(market, payouts);
      return;
    }
    market.payouts = payouts;
    market.winner = winnerOf(payouts);
    this.#engine.announcer.marketResolved(market);
  }

  #update(market: Market, { listing, isAccepting, delayMs, payouts }: ReadMarket): void {
    market.listing = listing;
    market.delayMs = delayMs;
    if (payouts !== undefined && market.payouts === undefined) this.#resolve(market, payouts);
    market.isAccepting = isAccepting && market.payouts === undefined;
    if (!market.hasBooks) market.tick = listing.tick;
  }
}

function joinEvent(market: KeptMarket, event: KeptEvent): void {
  market.event = event;
  event.markets.push(market);
}

function aloneEvent({ listing }: ReadMarket): MirroredEvent {
  const event = readEvent({ id: `market ${listing.id}`, slug: listing.slug, title: listing.question });
  if (event === undefined) throw new Error('an event with an id is one');
  return event;
}

/** Bytes outside of the heap: a catalogue of texts and objects would be collected again and again. */
function pack(fields: RawFields): Buffer {
  const text = JSON.stringify(fields);
  const packed = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  packed.write(text);
  return packed;
}

function unpack(packed: Buffer): string {
  return packed.toString('utf8');
}
