import type { Pace } from '../options.ts';
import { type UpstreamCalls, UpstreamError } from '../upstream/calls.ts';
import type { KeptMarket, MirroredCatalogue } from './mirrored-catalogue.ts';
import { isFields, textOf } from './read-listing.ts';
import { Rounds } from './rounds.ts';

/** Longer than the longest listing that the venue ever had. */
const PAGES_MAX = 20_000;
const IDS_PER_CALL = 50;
const NEWEST = 100;

interface Page {
  readonly items: readonly unknown[];
  readonly next: string | null;
}

/** Reads the public catalogue of the real venue again and again: the whole of it, the newest markets, and those that matter here. */
export class CatalogueReader {
  readonly #calls: UpstreamCalls;
  readonly #catalogue: MirroredCatalogue;
  readonly #pace: Pace;
  readonly #mattering: () => readonly string[];
  readonly #rounds: Rounds;
  readonly #asked = new Set<string>();
  #reading = 0;
  /** Whether the whole catalogue has been read once. */
  isComplete = false;

  /** @param mattering condition ids of the markets that are held, ordered or followed here */
  constructor(calls: UpstreamCalls, catalogue: MirroredCatalogue, pace: Pace, mattering: () => readonly string[]) {
    this.#calls = calls;
    this.#rounds = new Rounds(calls);
    this.#catalogue = catalogue;
    this.#pace = pace;
    this.#mattering = mattering;
  }

  /** Why the last reading of the whole catalogue ended early; null where it did not. */
  get trouble(): string | null {
    return this.#rounds.trouble;
  }

  start(): void {
    void this.readMarkets(this.#mattering()).catch((error: unknown) => this.#rounds.note(error));
    void this.#readAll();
    this.#rounds.later(this.#pace.newestMs, () => this.#readNewest());
  }

  stop(): void {
    this.#rounds.stop();
    this.#catalogue.announce();
  }

  /** Reads the markets with these condition ids, open or closed. @throws UpstreamError */
  async readMarkets(conditionIds: readonly string[]): Promise<void> {
    for (let from = 0; from < conditionIds.length; from += IDS_PER_CALL) {
      const wanted = conditionIds.slice(from, from + IDS_PER_CALL);
      for (const closed of ['false', 'true']) {
        const query = new URLSearchParams({ closed, limit: String(IDS_PER_CALL) });
        for (const id of wanted) query.append('condition_ids', id);
        const { items } = await this.#calls.read(`/markets/keyset?${query}`, (body) => pageOf(body, 'markets'));
        for (const raw of items) this.#catalogue.learnMarket(raw, this.#reading);
      }
    }
    this.#catalogue.announce();
  }

  /** Reads a market soon, because its result may be there. */
  readSoon(conditionId: string): void {
    if (this.#asked.has(conditionId) || this.#calls.isClosed) return;
    this.#asked.add(conditionId);
    void this.readMarkets([conditionId])
      .catch((error: unknown) => this.#rounds.note(error))
      .finally(() => this.#asked.delete(conditionId));
  }

  async #readAll(): Promise<void> {
    const reading = ++this.#reading;
    try {
      this.#catalogue.beginReading();
      await this.#readPages('events', (raw) => this.#catalogue.learnEvent(raw, reading));
      await this.#readPages('markets', (raw) => this.#catalogue.learnMarket(raw, reading));
      await this.#readUnseen(reading);
      this.isComplete = true;
      this.#rounds.trouble = null;
    } catch (error) {
      this.#rounds.note(error);
    }
    this.#catalogue.announce();
    this.#rounds.later(this.#rounds.trouble === null ? this.#pace.rereadMs : this.#pace.newestMs, () =>
      this.#readAll(),
    );
  }

  async #readPages(kind: 'events' | 'markets', learn: (raw: unknown) => void): Promise<void> {
    let cursor: string | null = null;
    const cursors = new Set<string>();
    for (let page = 0; page < PAGES_MAX && !this.#calls.isClosed; page++) {
      const { items, next }: Page = await this.#readPage(kind, cursor);
      for (const raw of items) {
        learn(raw);
        // A page holds thousands of markets; streams and orders go on between its events.
        await new Promise((resolve) => setImmediate(resolve));
      }
      this.#catalogue.announce();
      if (next === null) return;
      if (cursors.has(next)) throw new UpstreamError(`the listing of ${kind} does not move on`);
      cursors.add(next);
      cursor = next;
    }
    throw new UpstreamError(`the listing of ${kind} was not read to its end`);
  }

  /** One page; a page that stays broken is asked for in smaller and smaller ones. */
  async #readPage(kind: 'events' | 'markets', cursor: string | null): Promise<Page> {
    for (let limit = this.#pace.pageItems; ; limit = Math.floor(limit / PAGE_SHRINKS)) {
      try {
        const query = new URLSearchParams({ closed: 'false', limit: String(limit) });
        if (cursor !== null) query.set('after_cursor', cursor);
        return await this.#calls.read(`/${kind}/keyset?${query}`, (body) => pageOf(body, kind));
      } catch (error) {
        if (limit < PAGE_SHRINKS || this.#calls.isClosed) {
          this.#catalogue.drop(`a page of ${kind} could not be read`);
          throw error;
        }
      }
    }
  }

  /** Markets that were open and are not listed any more: they have closed. */
  async #readUnseen(reading: number): Promise<void> {
    const unseen = [...this.#catalogue.markets()].filter((market) => isUnseen(market, reading));
    if (unseen.length > 0) await this.readMarkets(unseen.map(({ conditionId }) => conditionId));
  }

  async #readNewest(): Promise<void> {
    try {
      const path = `/markets?closed=false&limit=${NEWEST}&order=id&ascending=false`;
      const items = await this.#calls.read(path, (body) => (Array.isArray(body) ? (body as unknown[]) : undefined));
      for (const raw of items) if (this.#isNew(raw)) this.#catalogue.learnMarket(raw, this.#reading);
      await this.readMarkets(this.#mattering());
    } catch (error) {
      this.#rounds.note(error);
    }
    this.#rounds.later(this.#pace.newestMs, () => this.#readNewest());
  }

  #isNew(raw: unknown): boolean {
    return isFields(raw) && this.#catalogue.market(textOf(raw.id)) === undefined;
  }
}

const PAGE_SHRINKS = 5;

function isUnseen({ isClosed, seenIn, conditionId }: KeptMarket, reading: number): boolean {
  return !isClosed && seenIn < reading && conditionId !== '';
}

function pageOf(body: unknown, kind: 'events' | 'markets'): Page | undefined {
  if (!isFields(body) || !Array.isArray(body[kind])) return undefined;
  return { items: body[kind] as unknown[], next: textOf(body.next_cursor) || null };
}
