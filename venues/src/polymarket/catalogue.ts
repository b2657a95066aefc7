import { setImmediate } from 'node:timers/promises';
import type { Market, MarketEvent } from '@dutchbook/engine/market/market.ts';
import type { CatalogueEvent, EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { EventId, MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { inOrder } from '../in-order.ts';
import type { ReadPriority } from '../read-budget.ts';
import type { JsonApi } from '../transport.ts';
import {
  type LeftOutMarket,
  type MarketQuery,
  type MarketReferences,
  type VenueCatalogue,
  type VenueRuntime,
  VenueUnavailable,
} from '../venue.ts';
import type { PolymarketConfig } from './config.ts';
import type { ChainId } from './contracts.ts';
import { type Clarifications, openClarifications } from './events/clarifications.ts';
import { readCatalogueEvent } from './events/read-event.ts';
import { SharedEvents } from './events/shared-events.ts';
import {
  conditionId,
  eventPages,
  eventsWithIds,
  marketsWithIds,
  newestMarkets,
  openEvents,
  openMarkets,
  rawEventsWithIds,
} from './gamma.ts';
import {
  type ListedMarket,
  marketEvent,
  type OrderVersion,
  readGammaMarket,
  type SkippedMarket,
} from './listed-market.ts';
import { openMarketReferences } from './references/market-references.ts';
import { SecondSource } from './sources/second-source.ts';
import type { Ticks } from './ticks.ts';
import { gammaEvent } from './wire.ts';

/** The two services that say what a market is. */
type Apis = { gamma: JsonApi; clob: JsonApi };
type Ages = Pick<PolymarketConfig, 'catalogueTtlMs' | 'marketTtlMs'>;
const LONG_AGO = instantFromMs(0);
/** Markets that a search looks at per tick of the event loop: the venue lists a hundred thousand. */
const SEARCHED_AT_ONCE = 2000;
/** Pages of events read ahead, with their clarifications, while one is stored. */
const PAGES_IN_FLIGHT = 4;
/** Some four milliseconds. */
const MARKETS_PER_TICK = 40;
const CONDITION_ID = /^0x[0-9a-f]{64}$/;

type Known = { listed: ListedMarket; readAt: Instant };
/** A read of some markets that is under way. */
type Reading = { priority: ReadPriority; done: Promise<void> };
type LeftOut = LeftOutMarket & { closed: boolean };
/** The ids of open markets, tradable or not. */
type Listing = { marketIds: MarketId[]; readAt: Instant };

/**
 * What the venue lists, read from Gamma when something is asked for and kept. The listing of all open markets is served
 * while a fresh one is read; a market asked for by id is never older than `marketTtlMs`.
 */
export class PolymarketCatalogue implements VenueCatalogue {
  readonly references: MarketReferences;
  readonly #gamma: JsonApi;
  readonly #ages: Ages;
  readonly #runtime: VenueRuntime;
  readonly #chainId: ChainId;
  readonly #ticks: Ticks;
  readonly #clarifications: Clarifications;
  readonly #second: SecondSource;
  readonly #compared: ((markets: readonly Market[]) => void)[] = [];
  readonly #known = new Map<string, Known>();
  readonly #events = new Map<string, MarketEvent>();
  readonly #sharedEvents: SharedEvents;
  readonly #byToken = new Map<string, ListedMarket>();
  /** Markets that were left out when last read, by their ids. */
  readonly #leftOut = new Map<string, LeftOut>();
  /** Running reads by market. */
  readonly #underWay = new Map<string, Reading>();
  #listing: Listing | null = null;
  #reading: Promise<Listing> | null = null;

  constructor({ gamma, clob }: Apis, ages: Ages, runtime: VenueRuntime, ticks: Ticks, chainId: ChainId) {
    this.references = { ...openMarketReferences(gamma), unknownIds: (...asked) => this.#unknownIds(...asked) };
    this.#chainId = chainId;
    this.#gamma = gamma;
    this.#ages = ages;
    this.#runtime = runtime;
    this.#ticks = ticks;
    this.#clarifications = openClarifications(gamma, runtime);
    this.#sharedEvents = new SharedEvents({
      read: (ids) => this.#readEvents(ids, 'display'),
      now: runtime.now,
      ageMaxMs: ages.marketTtlMs,
    });
    this.#second = new SecondSource({
      ...{ clob, runtime, ticks },
      listed: (id) => this.#known.get(id)?.listed.market,
      onChange: (ids) => this.#tellCompared(ids),
    });
  }

  async searchMarkets(query: MarketQuery): Promise<{ data: Market[]; count: number }> {
    const { marketIds } = await this.#currentListing();
    const matches = matcher(query);
    const matching = await found(marketIds, (id) => {
      const entry = this.#tradable(id);
      return entry && !entry.listed.market.closed && matches(entry.listed.market) ? entry : undefined;
    });
    const page = matching.slice(query.skip, query.skip + query.limit);
    return { data: page.map((entry) => this.#asKnown(entry)), count: matching.length };
  }

  async searchLeftOut(query: MarketQuery): Promise<{ data: LeftOutMarket[]; count: number }> {
    const { marketIds } = await this.#currentListing();
    const matches = matcher(query);
    const matching = await found(marketIds, (id) => {
      const market = this.#leftOut.get(id);
      return market && !market.closed && matches(market) ? market : undefined;
    });
    return { data: matching.slice(query.skip, query.skip + query.limit), count: matching.length };
  }

  async marketsById(ids: readonly MarketId[], priority: ReadPriority = 'trading'): Promise<Map<MarketId, Market>> {
    await this.#readTogether(this.#dueOf(ids), priority);
    await this.#second.follow(
      [...new Set(ids)].filter((id) => this.#tradable(id)),
      priority,
    );
    const markets = new Map<MarketId, Market>();
    for (const id of ids) {
      const entry = this.#tradable(id);
      if (entry) markets.set(id, this.#asKnown(entry));
    }
    return markets;
  }

  onCompared(listener: (markets: readonly Market[]) => void): void {
    this.#compared.push(listener);
  }

  whyLeftOut(marketId: MarketId): string | null {
    return this.#leftOut.get(marketId)?.reason ?? null;
  }

  async *readEvents(cursor: string | null): AsyncGenerator<{ events: CatalogueEvent[]; cursor: string | null }> {
    yield* inOrder(
      eventPages(this.#gamma, cursor),
      async ({ items, nextCursor }) => ({
        events: await this.#catalogueEventsOf(items, 'following'),
        cursor: nextCursor,
      }),
      PAGES_IN_FLIGHT,
    );
  }

  listed(marketId: MarketId): { market: Market; dollars: number } | null {
    const entry = this.#tradable(marketId);
    return entry === undefined ? null : { market: entry.listed.market, dollars: entry.listed.volume };
  }

  newestMarkets(skip: number): Promise<{ marketId: MarketId; eventId: EventId }[]> {
    return newestMarkets(this.#gamma, skip);
  }

  /** What a person asks for may be `marketTtlMs` old; what trades or follows is read now. */
  eventsById(ids: readonly EventId[], priority: ReadPriority): Promise<CatalogueEvent[]> {
    return priority === 'display' ? this.#sharedEvents.byIds(ids) : this.#readEvents(ids, priority);
  }

  pageOf(event: Pick<CatalogueEvent, 'slug'>, member: Pick<EventMember, 'slug'>): string | null {
    if (event.slug === '' || member.slug === '') return null;
    return `https://polymarket.com/event/${encodeURIComponent(event.slug)}/${encodeURIComponent(member.slug)}`;
  }

  async #readEvents(ids: readonly EventId[], priority: ReadPriority): Promise<CatalogueEvent[]> {
    return this.#catalogueEventsOf(await rawEventsWithIds(this.#gamma, ids, priority), priority);
  }

  /** Their markets are kept like those of the listing. */
  async #catalogueEventsOf(events: readonly unknown[], priority: ReadPriority): Promise<CatalogueEvent[]> {
    const listed: CatalogueEvent[] = [];
    let due = MARKETS_PER_TICK;
    for (const raw of events) {
      if (due <= 0) {
        due = MARKETS_PER_TICK;
        await setImmediate();
      }
      const head = gammaEvent.safeParse(raw);
      const event = head.success ? marketEvent(head.data) : null;
      if (event !== null) this.#events.set(event.id, event);
      const read = readCatalogueEvent(raw, (market) => this.#keep(market, event));
      if (read !== null) listed.push(read);
      due -= read?.members.length ?? 1;
    }
    return this.#clarifications.addedTo(listed, events, priority);
  }

  async #unknownIds(ids: readonly MarketId[], priority: ReadPriority): Promise<Set<string>> {
    await this.#readTogether(this.#dueOf(ids.filter((id) => CONDITION_ID.test(id))), priority);
    return new Set(ids.filter((id) => !this.#known.has(id) && !this.#leftOut.has(id)));
  }

  #dueOf(ids: readonly string[]): string[] {
    const now = this.#runtime.now();
    return [...new Set(ids)].filter((id) => {
      const entry = this.#known.get(id);
      return !entry || elapsedMs(entry.readAt, now) >= this.#ages.marketTtlMs;
    });
  }

  /** The version to sign a market's orders under. Throws `VenueUnavailable`, also for an unlisted market. */
  async orderVersion(marketId: MarketId): Promise<OrderVersion> {
    return (await this.#knownOrRead(marketId)).listed.orderVersion;
  }

  /** The market as last read, however old. Throws `VenueUnavailable`, also for an unlisted market. */
  async knownMarket(marketId: MarketId): Promise<Market> {
    return this.#asKnown(await this.#knownOrRead(marketId));
  }

  /** The version of a token's market, once that market has been read. */
  versionOfToken(tokenId: TokenId): OrderVersion | undefined {
    return this.#byToken.get(tokenId)?.orderVersion;
  }

  /** The id of a token's market, once that market has been read: other parts of the venue may write it in another form. */
  marketOfToken(tokenId: TokenId): string | undefined {
    return this.#byToken.get(tokenId)?.market.id;
  }

  /** The tokens of the other outcomes of a token's market, once that market has been read. */
  otherTokens(tokenId: TokenId): string[] {
    const outcomes = this.#byToken.get(tokenId)?.market.outcomes ?? [];
    return outcomes.flatMap((outcome) => (outcome.tokenId === tokenId ? [] : [outcome.tokenId]));
  }

  /**
   * Lists and reads everything anew when it is next asked for. Markets stay known as last read, because orders and fills
   * of theirs may be under way.
   */
  forget(): void {
    this.#listing = null;
    this.#events.clear();
    this.#sharedEvents.forget();
    this.#second.forget();
    for (const entry of this.#known.values()) entry.readAt = LONG_AGO;
  }

  /** Its fills are still to be read by what was known of it. */
  #dropListing(marketId: MarketId): void {
    const market = this.#known.get(marketId)?.listed.market;
    if (market) this.#leftOut.set(marketId, { ...market, reason: 'the venue does not list it any more' });
  }

  /** Not what was known before a market became one we cannot trade: only its fills may still be read by that. */
  #tradable(marketId: MarketId): Known | undefined {
    return this.#leftOut.has(marketId) ? undefined : this.#known.get(marketId);
  }

  async #knownOrRead(marketId: MarketId): Promise<Known> {
    if (!this.#known.has(marketId)) await this.#readMarkets([marketId], 'trading');
    const entry = this.#known.get(marketId);
    if (!entry) throw new VenueUnavailable(`the catalogue does not list market ${marketId.slice(0, 80)}`);
    return entry;
  }

  async #currentListing(): Promise<Listing> {
    const kept = this.#listing;
    if (kept && elapsedMs(kept.readAt, this.#runtime.now()) < this.#ages.catalogueTtlMs) return kept;
    this.#reading ??= this.#readListing().finally(() => {
      this.#reading = null;
    });
    if (!kept) return this.#reading;
    this.#reading.catch((error: unknown) => {
      this.#runtime.log.warn({ reason: String(error) }, 'catalogue not refreshed');
    });
    return kept;
  }

  async #readListing(): Promise<Listing> {
    const ids = new Set<string>();
    for await (const event of openEvents(this.#gamma)) {
      const ours = marketEvent(event);
      this.#events.set(ours.id, ours);
      for (const raw of event.markets ?? []) ids.add(idOf(this.#keep(raw, ours)));
    }
    for await (const raw of openMarkets(this.#gamma)) {
      if (!ids.has(conditionId(raw))) ids.add(idOf(this.#keep(raw, null)));
    }
    this.#listing = { marketIds: [...ids], readAt: this.#runtime.now() };
    return this.#listing;
  }

  /** Joins a running read of some of them, unless the read has a lower priority. */
  async #readTogether(ids: readonly MarketId[], priority: ReadPriority): Promise<void> {
    const readingOf = (id: string) => {
      const reading = this.#underWay.get(id);
      return reading && [priority, 'trading'].includes(reading.priority) ? reading : undefined;
    };
    const others = new Set(ids.map((id) => readingOf(id)?.done));
    const own = ids.filter((id) => readingOf(id) === undefined);
    const reading = { priority, done: this.#readMarkets(own, priority) };
    for (const id of own) this.#underWay.set(id, reading);
    try {
      await Promise.all([reading.done, ...others]);
    } finally {
      for (const id of own) if (this.#underWay.get(id) === reading) this.#underWay.delete(id);
    }
  }

  async #readMarkets(ids: readonly MarketId[], priority: ReadPriority): Promise<void> {
    if (ids.length === 0) return;
    const found = await marketsWithIds(this.#gamma, ids, priority);
    await this.#readMissingEvents(found, priority);
    for (const raw of found) this.#keep(raw, null);
    const foundIds = new Set(found.map(conditionId));
    for (const id of ids) if (!foundIds.has(id)) this.#dropListing(id);
  }

  async #readMissingEvents(markets: readonly unknown[], priority: ReadPriority): Promise<void> {
    const missing = new Set<string>();
    for (const raw of markets) {
      const read = readGammaMarket(raw, this.#chainId);
      if ('market' in read && read.eventId !== null && !this.#events.has(read.eventId)) missing.add(read.eventId);
    }
    if (missing.size === 0) return;
    for (const event of await eventsWithIds(this.#gamma, [...missing], priority)) {
      this.#events.set(event.id, marketEvent(event));
    }
  }

  /** Keeps a market, or why it is not one that we can trade. */
  #keep(raw: unknown, event: MarketEvent | null): ListedMarket | SkippedMarket {
    const read = readGammaMarket(raw, this.#chainId);
    if (!('market' in read)) {
      const { id, reason } = read;
      // Said once, and not at every refresh.
      if (this.#leftOut.get(id)?.reason !== reason) {
        this.#runtime.log.info({ marketId: id, reason }, 'market left out of the catalogue');
      }
      this.#leftOut.set(id, { ...read, event: event ?? this.#leftOut.get(id)?.event ?? null });
      return read;
    }
    read.market.event = event ?? (read.eventId === null ? null : (this.#events.get(read.eventId) ?? null));
    this.#leftOut.delete(read.market.id);
    this.#known.set(read.market.id, { listed: read, readAt: this.#runtime.now() });
    for (const { tokenId } of read.market.outcomes) this.#byToken.set(tokenId, read);
    this.#second.compare(read.market.id);
    return read;
  }

  /** With its newest tick, and what its sources differ on. */
  #asKnown({ listed: { market } }: Known): Market {
    const ticks = market.outcomes.map(({ tokenId }) => this.#ticks.of(tokenId));
    const tick = ticks.find((each) => each !== undefined && each !== market.tick) ?? market.tick;
    return { ...market, tick, differences: this.#second.differences(market.id) };
  }

  #tellCompared(marketIds: readonly MarketId[]): void {
    const markets = marketIds.flatMap((id) => {
      const entry = this.#tradable(id);
      return entry === undefined ? [] : [this.#asKnown(entry)];
    });
    for (const tell of this.#compared) tell(markets);
  }
}

function idOf(read: ListedMarket | SkippedMarket): string {
  return 'market' in read ? read.market.id : read.id;
}

/** What `find` finds at each of them. */
async function found<Found>(marketIds: readonly MarketId[], find: (id: string) => Found | undefined): Promise<Found[]> {
  const all: Found[] = [];
  for (let from = 0; from < marketIds.length; from += SEARCHED_AT_ONCE) {
    if (from > 0) await setImmediate();
    for (const id of marketIds.slice(from, from + SEARCHED_AT_ONCE)) {
      const one = find(id);
      if (one !== undefined) all.push(one);
    }
  }
  return all;
}

function matcher({ search, event }: MarketQuery): (market: Pick<Market, 'question' | 'event'>) => boolean {
  const wanted = search?.toLowerCase() ?? '';
  return (market) => {
    if (event !== undefined && market.event?.id !== event) return false;
    if (wanted === '' || market.question.toLowerCase().includes(wanted)) return true;
    return market.event?.title.toLowerCase().includes(wanted) ?? false;
  };
}
