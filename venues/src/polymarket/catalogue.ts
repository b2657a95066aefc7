import type { Market, MarketEvent } from '@dutchbook/engine/market/market.ts';
import { elapsedMs, type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type MarketQuery, type VenueCatalogue, VenueUnavailable, type VenueWorld } from '../venue.ts';
import type { PolymarketConfig } from './config.ts';
import { conditionId, eventsWithIds, marketsWithIds, openEvents, openMarkets } from './gamma.ts';
import { type ListedMarket, marketEvent, type OrderVersion, readGammaMarket } from './listed-market.ts';
import type { Ticks } from './ticks.ts';
import type { JsonApi } from './transport.ts';

type Ages = Pick<PolymarketConfig, 'catalogueTtlMs' | 'marketTtlMs'>;
const LONG_AGO = instantFromMs(0);

type Known = { listed: ListedMarket; readAt: Instant };
type Listing = { marketIds: string[]; readAt: Instant };

/**
 * What the venue lists, read from Gamma when something is asked for and kept. The listing of all open markets is served
 * while a fresh one is read; a market asked for by id is never older than `marketTtlMs`.
 */
export class PolymarketCatalogue implements VenueCatalogue {
  readonly #gamma: JsonApi;
  readonly #ages: Ages;
  readonly #world: VenueWorld;
  readonly #ticks: Ticks;
  readonly #known = new Map<string, Known>();
  readonly #events = new Map<string, MarketEvent>();
  readonly #versionOfToken = new Map<string, OrderVersion>();
  /** Why markets were left out when last read, so that each is said once and not at every refresh. */
  readonly #leftOut = new Map<string, string>();
  #listing: Listing | null = null;
  #reading: Promise<Listing> | null = null;

  constructor(gamma: JsonApi, ages: Ages, world: VenueWorld, ticks: Ticks) {
    this.#gamma = gamma;
    this.#ages = ages;
    this.#world = world;
    this.#ticks = ticks;
  }

  async searchMarkets(query: MarketQuery): Promise<{ data: Market[]; count: number }> {
    const { marketIds } = await this.#currentListing();
    const matching: Known[] = [];
    for (const id of marketIds) {
      const entry = this.#tradable(id);
      if (entry && !entry.listed.market.closed && matches(entry.listed.market, query)) matching.push(entry);
    }
    const page = matching.slice(query.skip, query.skip + query.limit);
    return { data: page.map((entry) => this.#withNewestTick(entry)), count: matching.length };
  }

  async marketsById(ids: readonly string[]): Promise<Map<string, Market>> {
    const now = this.#world.now();
    const due = [...new Set(ids)].filter((id) => {
      const entry = this.#known.get(id);
      return !entry || elapsedMs(entry.readAt, now) >= this.#ages.marketTtlMs;
    });
    await this.#readMarkets(due);
    const markets = new Map<string, Market>();
    for (const id of ids) {
      const entry = this.#tradable(id);
      if (entry) markets.set(id, this.#withNewestTick(entry));
    }
    return markets;
  }

  /** The version to sign a market's orders under. Throws `VenueUnavailable`, also for a market nobody lists. */
  async orderVersion(marketId: string): Promise<OrderVersion> {
    return (await this.#knownOrRead(marketId)).listed.orderVersion;
  }

  /** The market as last read, however old. Throws `VenueUnavailable`, also for a market nobody lists. */
  async knownMarket(marketId: string): Promise<Market> {
    return this.#withNewestTick(await this.#knownOrRead(marketId));
  }

  /** The version of a token's market, once that market has been read. */
  versionOfToken(tokenId: string): OrderVersion | undefined {
    return this.#versionOfToken.get(tokenId);
  }

  /**
   * Lists and reads everything anew when it is next asked for. Markets stay known as last read, because orders and fills
   * of theirs may be under way.
   */
  forget(): void {
    this.#listing = null;
    this.#events.clear();
    for (const entry of this.#known.values()) entry.readAt = LONG_AGO;
  }

  /** Not what was known before a market became one we cannot trade: only its fills may still be read by that. */
  #tradable(marketId: string): Known | undefined {
    return this.#leftOut.has(marketId) ? undefined : this.#known.get(marketId);
  }

  async #knownOrRead(marketId: string): Promise<Known> {
    if (!this.#known.has(marketId)) await this.#readMarkets([marketId]);
    const entry = this.#known.get(marketId);
    if (!entry) throw new VenueUnavailable(`the catalogue does not list market ${marketId.slice(0, 80)}`);
    return entry;
  }

  async #currentListing(): Promise<Listing> {
    const kept = this.#listing;
    if (kept && elapsedMs(kept.readAt, this.#world.now()) < this.#ages.catalogueTtlMs) return kept;
    this.#reading ??= this.#readListing().finally(() => {
      this.#reading = null;
    });
    if (!kept) return this.#reading;
    this.#reading.catch((error: unknown) => {
      this.#world.log.warn({ reason: String(error) }, 'the catalogue could not be refreshed');
    });
    return kept;
  }

  async #readListing(): Promise<Listing> {
    const ids = new Set<string>();
    for await (const event of openEvents(this.#gamma)) {
      const ours = marketEvent(event);
      this.#events.set(ours.id, ours);
      for (const raw of event.markets ?? []) if (this.#keep(raw, ours)) ids.add(conditionId(raw));
    }
    for await (const raw of openMarkets(this.#gamma)) {
      const id = conditionId(raw);
      if (!ids.has(id) && this.#keep(raw, null)) ids.add(id);
    }
    this.#listing = { marketIds: [...ids], readAt: this.#world.now() };
    return this.#listing;
  }

  async #readMarkets(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const found = await marketsWithIds(this.#gamma, ids);
    await this.#readMissingEvents(found);
    for (const raw of found) this.#keep(raw, null);
    const foundIds = new Set(found.map(conditionId));
    for (const id of ids) if (!foundIds.has(id)) this.#known.delete(id);
  }

  async #readMissingEvents(markets: readonly unknown[]): Promise<void> {
    const missing = new Set<string>();
    for (const raw of markets) {
      const read = readGammaMarket(raw);
      if ('market' in read && read.eventId !== null && !this.#events.has(read.eventId)) missing.add(read.eventId);
    }
    if (missing.size === 0) return;
    for (const event of await eventsWithIds(this.#gamma, [...missing])) {
      this.#events.set(event.id, marketEvent(event));
    }
  }

  /** Keeps a market if it is one we can trade, and says whether it is. */
  #keep(raw: unknown, event: MarketEvent | null): boolean {
    const read = readGammaMarket(raw);
    if (!('market' in read)) {
      if (this.#leftOut.get(read.id) !== read.reason) {
        this.#leftOut.set(read.id, read.reason);
        this.#world.log.info({ marketId: read.id, reason: read.reason }, 'a market is left out of the catalogue');
      }
      return false;
    }
    read.market.event = event ?? (read.eventId === null ? null : (this.#events.get(read.eventId) ?? null));
    this.#leftOut.delete(read.market.id);
    this.#known.set(read.market.id, { listed: read, readAt: this.#world.now() });
    for (const { tokenId } of read.market.outcomes) this.#versionOfToken.set(tokenId, read.orderVersion);
    return true;
  }

  #withNewestTick({ listed }: Known): Market {
    for (const { tokenId } of listed.market.outcomes) {
      const tick = this.#ticks.of(tokenId);
      if (tick !== undefined && tick !== listed.market.tick) return { ...listed.market, tick };
    }
    return listed.market;
  }
}

function matches(market: Market, query: MarketQuery): boolean {
  if (query.event !== undefined && market.event?.id !== query.event) return false;
  if (!query.search) return true;
  const wanted = query.search.toLowerCase();
  return (
    market.question.toLowerCase().includes(wanted) || (market.event?.title.toLowerCase().includes(wanted) ?? false)
  );
}
