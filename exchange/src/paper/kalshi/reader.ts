import { isFields, textOf } from '../catalogue/read-listing.ts';
import { Rounds } from '../catalogue/rounds.ts';
import type { Pace } from '../options.ts';
import { type UpstreamCalls, UpstreamError } from '../upstream/calls.ts';
import type { MirroredListings } from './mirrored-listings.ts';

/** Pages of one list after which its reading fails; the longest list that the venue has had takes fewer. */
const PAGES_MAX = 2_000;
const EVENTS_PER_PAGE = 200;
/** Tickers in one call, as many as its address has room for. */
const NAMES_PER_CALL = 100;
/** How far the times of the venue and of this machine may be apart. */
const SKEW_S = 60;

/** Reads the public catalogue of the real venue again and again: series, all open events, and those that have changed. */
export class ListingsReader {
  readonly #calls: UpstreamCalls;
  readonly #listings: MirroredListings;
  readonly #pace: Pace;
  readonly #isNeeded: (ticker: string) => boolean;
  readonly #rounds: Rounds;
  /** Number of the current reading of the whole catalogue, noted on each market that it lists. */
  #reading = 0;
  /** When the last reading began, in seconds since 1970. */
  #readAtS = 0;
  /** Whether the whole catalogue has been read at least once. */
  isComplete = false;

  /** @param isNeeded whether a market stays listed, whatever the venue says */
  constructor(calls: UpstreamCalls, listings: MirroredListings, pace: Pace, isNeeded: (ticker: string) => boolean) {
    this.#calls = calls;
    this.#rounds = new Rounds(calls);
    this.#listings = listings;
    this.#pace = pace;
    this.#isNeeded = isNeeded;
  }

  /** Why the last reading, of the whole catalogue or of changes, failed; null where the whole was read since. */
  get trouble(): string | null {
    return this.#rounds.trouble;
  }

  start(): void {
    void this.#readAll();
  }

  stop(): void {
    this.#rounds.stop();
  }

  /** Reads these markets, open or not, each page within `withinMs`. @returns them as they came. @throws UpstreamError */
  async readMarkets(tickers: readonly string[], withinMs?: number): Promise<unknown[]> {
    const found: unknown[] = [];
    for (let from = 0; from < tickers.length; from += NAMES_PER_CALL) {
      const names = tickers.slice(from, from + NAMES_PER_CALL).join(',');
      const query = new URLSearchParams({ tickers: names, limit: String(NAMES_PER_CALL) });
      const { items } = await this.#calls.read(`/markets?${query}`, (body) => pageOf(body, 'markets'), withinMs);
      for (const raw of items) this.#listings.learnMarket(raw, this.#reading);
      found.push(...items);
    }
    return found;
  }

  async #readAll(): Promise<void> {
    const reading = ++this.#reading;
    try {
      this.#listings.beginReading();
      this.#readAtS = nowS();
      const series = await this.#calls.read('/series', (body) => pageOf(body, 'series'));
      for (const raw of series.items) this.#listings.learnSeries(raw);
      await this.#readEvents({ status: 'open' }, reading);
      // The list of open events leaves out markets that have closed: these are read by their tickers.
      const unseen = [...this.#listings.markets()].filter(
        (each) => each.seenIn < reading && each.status !== 'finalized',
      );
      await this.readMarkets(unseen.map(({ ticker }) => ticker));
      this.#listings.forget(reading, this.#isNeeded);
      this.isComplete = true;
      this.#rounds.trouble = null;
    } catch (error) {
      this.#rounds.note(error);
    }
    this.#rounds.later(this.#pace.newestMs, () => this.#readChanged(performance.now()));
  }

  /** Events that were listed or changed since the last look, until the whole list is due. */
  async #readChanged(sinceMs: number): Promise<void> {
    if (this.#rounds.trouble !== null || performance.now() - sinceMs >= this.#pace.rereadMs)
      return await this.#readAll();
    try {
      const min_updated_ts = String(Math.max(0, this.#readAtS - SKEW_S));
      this.#readAtS = nowS();
      await this.#readEvents({ status: 'open', min_updated_ts }, this.#reading);
    } catch (error) {
      this.#rounds.note(error);
    }
    this.#rounds.later(this.#pace.newestMs, () => this.#readChanged(sinceMs));
  }

  async #readEvents(filter: Record<string, string>, reading: number): Promise<void> {
    let cursor = '';
    for (let page = 0; page < PAGES_MAX && !this.#calls.isClosed; page++) {
      const query = new URLSearchParams({ ...filter, with_nested_markets: 'true', limit: String(EVENTS_PER_PAGE) });
      if (cursor !== '') query.set('cursor', cursor);
      const { items, next } = await this.#calls.read(`/events?${query}`, (body) => pageOf(body, 'events'));
      for (const raw of items) {
        this.#listings.learnEvent(raw, reading);
        // A page holds thousands of markets; streams and orders go on between its events.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (next === '') return;
      if (next === cursor) throw new UpstreamError('the list of events does not move on');
      cursor = next;
    }
    throw new UpstreamError('the list of events was not read to its end');
  }
}

function nowS(): number {
  return Math.floor(Date.now() / 1000);
}

/** The venue sends null for an empty list of series. Null in any other list is an error: read as the last page, it would make all markets after it look closed. */
function pageOf(body: unknown, kind: 'events' | 'markets' | 'series') {
  if (!isFields(body)) return undefined;
  const items = kind === 'series' && body[kind] === null ? [] : body[kind];
  return Array.isArray(items) ? { items: items as unknown[], next: textOf(body.cursor) } : undefined;
}
