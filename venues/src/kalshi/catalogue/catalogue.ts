import { setImmediate } from 'node:timers/promises';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { EventId, MarketId } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Tick } from '@dutchbook/units/price.ts';
import type { ReadPriority } from '../../read-budget.ts';
import type { LeftOutMarket, MarketQuery, VenueCatalogue, VenueRuntime } from '../../venue.ts';
import type { KalshiApi } from '../api.ts';
import type { KalshiConfig } from '../config.ts';
import { termsOf } from '../fees.ts';
import { marketIdOf, tickerOf } from '../ids.ts';
import { Shards } from '../shards.ts';
import { type WireSeries, wireEvent, wireMarket } from '../wire.ts';
import { type KnownEvent, marketEvent, PAUSED_BY_VENUE, readMarket, type SkippedMarket } from './listed-market.ts';
import { allSeries, eventsNamed, marketsNamed, openEventPages } from './pages.ts';
import { readCatalogueEvent } from './read-event.ts';

type Ages = Pick<KalshiConfig, 'catalogueTtlMs' | 'marketTtlMs'>;
type Known = { market: Market; dollars: number; readAt: Instant };
type LeftOut = LeftOutMarket & { closed: boolean };
type Listing = { marketIds: MarketId[]; readAt: Instant };

/**
 * What the venue lists, read when something is asked for and kept. A list of all open markets is served while a fresh one is read;
 * a market asked for by id is never older than `marketTtlMs`.
 */
export class KalshiCatalogue implements VenueCatalogue {
  readonly #api: KalshiApi;
  readonly #ages: Ages;
  readonly #runtime: VenueRuntime;
  readonly #known = new Map<string, Known>();
  readonly #leftOut = new Map<string, LeftOut>();
  /** Known events by ticker. */
  readonly #events = new Map<string, KnownEvent>();
  /** Markets that the venue has called paused, until when that is believed. */
  readonly #paused = new Map<string, Instant>();
  readonly #shards: Shards;
  #listing: Listing | null = null;
  #reading: Promise<Listing> | null = null;
  #series: { all: Promise<Map<string, WireSeries>>; readAt: Instant } | null = null;

  constructor(api: KalshiApi, ages: Ages, runtime: VenueRuntime) {
    this.#api = api;
    this.#ages = ages;
    this.#runtime = runtime;
    this.#shards = new Shards(api, runtime);
  }

  async searchMarkets(query: MarketQuery): Promise<{ data: Market[]; count: number }> {
    const { marketIds } = await this.#currentListing();
    const matches = matcher(query);
    const found = marketIds.flatMap((id) => {
      const market = this.#tradable(id)?.market;
      return market !== undefined && !market.closed && matches(market) ? [market] : [];
    });
    return { data: found.slice(query.skip, query.skip + query.limit), count: found.length };
  }

  async searchLeftOut(query: MarketQuery): Promise<{ data: LeftOutMarket[]; count: number }> {
    const { marketIds } = await this.#currentListing();
    const matches = matcher(query);
    const found = marketIds.flatMap((id) => {
      const market = this.#leftOut.get(id);
      return market !== undefined && !market.closed && matches(market) ? [market] : [];
    });
    return { data: found.slice(query.skip, query.skip + query.limit), count: found.length };
  }

  async marketsById(ids: readonly MarketId[], priority: ReadPriority = 'trading'): Promise<Map<MarketId, Market>> {
    const now = this.#runtime.now();
    const due = [...new Set(ids)].filter((id) => {
      const known = this.#known.get(id);
      return known === undefined || elapsedMs(known.readAt, now) >= this.#ages.marketTtlMs;
    });
    await this.#readMarkets(due, priority);
    const markets = new Map<MarketId, Market>();
    for (const id of ids) {
      const known = this.#tradable(id);
      if (known !== undefined) markets.set(id, known.market);
    }
    return markets;
  }

  /** There is one source for a market: nothing is compared. */
  onCompared(): void {}

  /** The step in the middle of a market's prices, as last read. */
  tickOf(marketId: MarketId): Tick | null {
    return this.#known.get(marketId)?.market.tick ?? null;
  }

  listed(marketId: MarketId): { market: Market; dollars: number } | null {
    const known = this.#tradable(marketId);
    return known === undefined ? null : { market: known.market, dollars: known.dollars };
  }

  /**
   * The venue has refused an order because its market is paused, which reads show later: until they have had the time to, or the
   * market goes on, no other order is to be tried.
   */
  pause(ticker: string): void {
    const id = marketIdOf(ticker);
    this.#paused.set(id, instantFromMs(this.#runtime.now() + PAUSE_BELIEVED_MS));
    const known = this.#known.get(id);
    if (known !== undefined) known.market = { ...known.market, ...PAUSED };
  }

  /** The venue has announced that trading in a market goes on, or has stopped. */
  resume(ticker: string): void {
    const id = marketIdOf(ticker);
    this.#paused.delete(id);
    const known = this.#known.get(id);
    if (known !== undefined) known.readAt = LONG_AGO;
  }

  whyLeftOut(marketId: MarketId): string | null {
    return this.#leftOut.get(marketId)?.reason ?? null;
  }

  async *readEvents(cursor: string | null): AsyncGenerator<{ events: CatalogueEvent[]; cursor: string | null }> {
    const series = await this.#allSeries('following');
    for await (const page of openEventPages(this.#api, cursor, 'following'))
      yield { events: await this.#keepEvents(page.events, series), cursor: page.cursor };
  }

  async eventsById(ids: readonly EventId[], priority: ReadPriority): Promise<CatalogueEvent[]> {
    const tickers = ids.flatMap((id) => tickerOf(id) ?? []);
    if (tickers.length === 0) return [];
    const series = await this.#allSeries(priority);
    return this.#keepEvents(await eventsNamed(this.#api, tickers, priority), series);
  }

  /** Each event has a page, with all its markets; the middle of its address is words that nothing depends on. */
  pageOf({ series, slug }: Pick<CatalogueEvent, 'series' | 'slug'>): string | null {
    if (series === null) return null;
    const name = encodeURIComponent(series.toLowerCase());
    return `https://kalshi.com/markets/${name}/${name}/${encodeURIComponent(slug)}`;
  }

  /** Lists and reads everything anew when it is next asked for; markets stay known as last read. */
  forget(): void {
    this.#listing = null;
    this.#series = null;
    this.#events.clear();
    for (const known of this.#known.values()) known.readAt = LONG_AGO;
  }

  #tradable(id: MarketId): Known | undefined {
    return this.#leftOut.has(id) ? undefined : this.#known.get(id);
  }

  async #currentListing(): Promise<Listing> {
    const kept = this.#listing;
    if (kept && elapsedMs(kept.readAt, this.#runtime.now()) < this.#ages.catalogueTtlMs) return kept;
    this.#reading ??= this.#readListing().finally(() => {
      this.#reading = null;
    });
    if (!kept) return this.#reading;
    this.#reading.catch((error: unknown) =>
      this.#runtime.log.warn({ reason: String(error) }, 'kalshi catalogue not refreshed'),
    );
    return kept;
  }

  async #readListing(): Promise<Listing> {
    const marketIds = new Set<string>();
    const series = await this.#allSeries('following');
    for await (const { events } of openEventPages(this.#api, null, 'following'))
      for (const { members } of await this.#keepEvents(events, series))
        for (const { marketId } of members) marketIds.add(marketId);
    this.#listing = { marketIds: [...marketIds], readAt: this.#runtime.now() };
    return this.#listing;
  }

  #allSeries(priority: ReadPriority): Promise<Map<string, WireSeries>> {
    const now = this.#runtime.now();
    const kept = this.#series;
    if (kept && elapsedMs(kept.readAt, now) < SERIES_TTL_MS) return kept.all;
    const all = allSeries(this.#api, priority);
    this.#series = { all, readAt: now };
    all.catch(() => {
      if (this.#series?.all === all) this.#series = null;
    });
    return all;
  }

  async #keepEvents(raws: readonly unknown[], series: ReadonlyMap<string, WireSeries>): Promise<CatalogueEvent[]> {
    const events: CatalogueEvent[] = [];
    for (const raw of raws) {
      // An event may have hundreds of markets: the event loop runs in between.
      await setImmediate();
      const parsed = wireEvent.safeParse(raw);
      if (!parsed.success) continue;
      const event = parsed.data;
      const markets = event.markets ?? [];
      const tickers = markets.flatMap((market) => wireMarket.safeParse(market).data?.ticker ?? []);
      const own = series.get(event.series_ticker) ?? null;
      const known = { event, tickers, isAugmented: event.mutually_exclusive === true };
      const read = markets.map((market) => ({ raw: market, read: this.#keep(market, known, own) }));
      const catalogued = readCatalogueEvent({ event, series: own, markets: read });
      const proven = { ...known, isAugmented: catalogued.augmented };
      this.#events.set(event.event_ticker, proven);
      if (proven.isAugmented !== known.isAugmented) for (const market of markets) this.#keep(market, proven, own);
      events.push(catalogued);
    }
    return events;
  }

  async #readMarkets(ids: readonly MarketId[], priority: ReadPriority): Promise<void> {
    const tickers = ids.flatMap((id) => tickerOf(id) ?? []);
    if (tickers.length === 0) return;
    const [raws, series] = await Promise.all([
      marketsNamed(this.#api, tickers, priority),
      this.#allSeries(priority),
      this.#shards.refresh(priority),
    ]);
    const parsed = raws.map((raw) => ({ raw, eventTicker: wireMarket.safeParse(raw).data?.event_ticker }));
    const missing = parsed.flatMap(({ eventTicker }) =>
      eventTicker === undefined || this.#events.has(eventTicker) ? [] : [eventTicker],
    );
    if (missing.length > 0)
      await this.#keepEvents(await eventsNamed(this.#api, [...new Set(missing)], priority), series);
    for (const { raw, eventTicker } of parsed) {
      const known = eventTicker === undefined ? undefined : this.#events.get(eventTicker);
      this.#keep(raw, known ?? null, known === undefined ? null : (series.get(known.event.series_ticker) ?? null));
    }
    const answered = new Set(parsed.map(({ raw }) => marketIdIn(raw)));
    for (const id of ids) if (!answered.has(id)) this.#drop(id);
  }

  #keep(raw: unknown, known: KnownEvent | null, series: WireSeries | null): Market | SkippedMarket {
    const event = known === null ? null : marketEvent(known);
    const own = series === null ? null : { type: series.fee_type, multiplier: series.fee_multiplier };
    const override = {
      type: known?.event.fee_type_override ?? null,
      multiplier: known?.event.fee_multiplier_override ?? null,
    };
    const feeTerms = own === null ? null : termsOf(own, override);
    const now = this.#runtime.now();
    const read = readMarket(raw, { event, feeTerms, now });
    if ('outcomes' in read) {
      this.#leftOut.delete(read.id);
      const market = { ...read, ...this.#pauseOf(read, now) };
      this.#known.set(read.id, { market, dollars: tradedDollars(raw), readAt: now });
      return market;
    }
    if (this.#leftOut.get(read.id)?.reason !== read.reason)
      this.#runtime.log.info({ marketId: read.id, reason: read.reason }, 'kalshi market left out of the catalogue');
    this.#leftOut.set(read.id, { ...read, event });
    return read;
  }

  #isPaused(id: MarketId, now: Instant): boolean {
    const until = this.#paused.get(id);
    if (until !== undefined && until <= now) this.#paused.delete(id);
    return until !== undefined && until > now;
  }

  /** Nothing where the market takes orders. */
  #pauseOf(
    { id, pocket }: Market,
    now: Instant,
  ): Partial<Pick<Market, 'acceptingOrders' | 'pauseReason' | 'nextPause'>> {
    const pause = this.#shards.nextPause();
    const ahead = pause === null ? {} : { nextPause: pause };
    if (this.#shards.isPaused(pocket))
      return { ...ahead, acceptingOrders: false, pauseReason: `shard ${pocket} is paused` };
    return { ...ahead, ...(this.#isPaused(id, now) ? PAUSED : {}) };
  }

  #drop(id: MarketId): void {
    const market = this.#known.get(id)?.market;
    if (market !== undefined) this.#leftOut.set(id, { ...market, reason: 'the venue does not list it any more' });
  }
}

const PAUSED = { acceptingOrders: false, pauseReason: PAUSED_BY_VENUE } as const;
const LONG_AGO = 0 as Instant;
const PAUSE_BELIEVED_MS = 60_000;
const MIDDLE_PRICE = 0.5;
/** The list of all series is megabytes, and their fees change by announcement. */
const SERIES_TTL_MS = 600_000;

/** The venue counts shares: what they cost is reckoned by the last price. */
function tradedDollars(raw: unknown): number {
  const { volume_fp, last_price_dollars } = wireMarket.safeParse(raw).data ?? {};
  const price = Number(last_price_dollars ?? 0) || MIDDLE_PRICE;
  return Number(volume_fp ?? 0) * price;
}

function marketIdIn(raw: unknown): string {
  const { ticker } = (raw ?? {}) as { ticker?: unknown };
  return typeof ticker === 'string' ? marketIdOf(ticker) : '';
}

type Listed = Pick<LeftOutMarket, 'question' | 'event'>;

function matcher({ search, event }: MarketQuery): (market: Listed) => boolean {
  const words = search?.trim().toLowerCase() ?? '';
  return (market) =>
    (event === undefined || market.event?.id === event) &&
    (words === '' ||
      market.question.toLowerCase().includes(words) ||
      (market.event?.title.toLowerCase().includes(words) ?? false));
}
