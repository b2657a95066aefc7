import { isFields, type RawFields, textOf } from '../catalogue/read-listing.ts';
import { type LeftOutReason, type ReadMarket, readListing, timeOf } from './read-listing.ts';

/** An event as the venue sent it, without its markets. */
export interface KeptEvent {
  readonly ticker: string;
  readonly series: string;
  packed: Buffer;
  updatedAtMs: number;
  readonly markets: KeptMarket[];
}

/** A market as the venue sent it. */
export interface KeptMarket {
  readonly ticker: string;
  readonly event: KeptEvent;
  packed: Buffer;
  status: string;
  closesAtMs: number;
  updatedAtMs: number;
  settledAtMs: number | null;
  leftOut: LeftOutReason | undefined;
  /** The reading of the whole catalogue that it was last part of. */
  seenIn: number;
}

/** More than the venue has ever listed open; what is beyond is counted, not kept. */
const MARKETS_MAX = 300_000;

/** How long a market that has been paid out is still listed, so that its result is found later. */
const ENDED_FOR_MS = 7 * 86_400_000;

/** Statuses behind which nothing is traded or decided any more. */
const ENDED: ReadonlySet<string> = new Set(['finalized']);

/** The catalogue of the real venue, kept as it came: what is served is what was read. */
export class MirroredListings {
  readonly #events = new Map<string, KeptEvent>();
  readonly #markets = new Map<string, KeptMarket>();
  readonly #series = new Map<string, RawFields>();
  readonly #dropped = new Map<string, number>();
  /** Called with each market that was read, as it stands now. */
  onLearnt: (ticker: string) => void = () => {};

  get size(): number {
    return this.#markets.size;
  }

  events(): IterableIterator<KeptEvent> {
    return this.#events.values();
  }

  markets(): IterableIterator<KeptMarket> {
    return this.#markets.values();
  }

  series(): IterableIterator<RawFields> {
    return this.#series.values();
  }

  event(ticker: string): KeptEvent | undefined {
    return this.#events.get(ticker);
  }

  market(ticker: string): KeptMarket | undefined {
    return this.#markets.get(ticker);
  }

  seriesNamed(ticker: string): RawFields | undefined {
    return this.#series.get(ticker);
  }

  /** Open markets that are not traded here, and what could not be kept, by reason. */
  leftOut(): { reason: string; count: number }[] {
    const counts = new Map(this.#dropped);
    for (const { leftOut, status } of this.#markets.values())
      if (leftOut !== undefined && !ENDED.has(status)) counts.set(leftOut, (counts.get(leftOut) ?? 0) + 1);
    return [...counts].map(([reason, count]) => ({ reason, count }));
  }

  beginReading(): void {
    this.#dropped.clear();
  }

  drop(reason: string): void {
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + 1);
  }

  learnSeries(raw: unknown): void {
    if (isFields(raw) && textOf(raw.ticker) !== '') this.#series.set(textOf(raw.ticker), raw);
    else this.drop('a series has no ticker');
  }

  /** Takes an event with its markets, of the reading numbered `reading`. */
  learnEvent(raw: unknown, reading = 0): void {
    const ticker = isFields(raw) ? textOf(raw.event_ticker) : '';
    if (!isFields(raw) || ticker === '') {
      this.drop('an event has no ticker');
      return;
    }
    const { markets, ...head } = raw;
    const seen = { packed: pack(head), updatedAtMs: timeOf(raw.last_updated_ts) ?? 0 };
    const known = this.#events.get(ticker);
    const event = Object.assign(known ?? { ticker, series: textOf(raw.series_ticker), markets: [] }, seen);
    this.#events.set(ticker, event);
    for (const market of Array.isArray(markets) ? (markets as unknown[]) : []) this.#keep(market, event, reading);
  }

  /** Takes a market by itself; that of an unknown event waits until the event is read. */
  learnMarket(raw: unknown, reading = 0): void {
    const event = isFields(raw) ? this.#events.get(textOf(raw.event_ticker)) : undefined;
    if (event !== undefined) this.#keep(raw, event, reading);
  }

  /** A market as it can be traded here, read of what was kept; undefined where it cannot. */
  read(ticker: string): ReadMarket | undefined {
    const raw = this.raw(ticker);
    const read = raw && readListing(raw);
    return read === undefined || typeof read === 'string' ? undefined : read;
  }

  /** All that is kept of a market, so that it can be kept elsewhere. */
  raw(ticker: string) {
    const market = this.#markets.get(ticker);
    if (market === undefined) return undefined;
    return {
      series: this.#series.get(market.event.series),
      event: JSON.parse(unpack(market.event.packed)) as RawFields,
      market: JSON.parse(unpack(market.packed)) as RawFields,
    };
  }

  /** Drops markets that ended long ago, and those that the venue has told nothing of since `reading`; `isNeeded` ones stay. */
  forget(reading: number, isNeeded: (ticker: string) => boolean): void {
    const endedBefore = Date.now() - ENDED_FOR_MS;
    const isOver = ({ ticker, status, seenIn, settledAtMs, closesAtMs }: KeptMarket) =>
      (ENDED.has(status) ? (settledAtMs ?? closesAtMs) < endedBefore : seenIn < reading) && !isNeeded(ticker);
    for (const [ticker, event] of this.#events) {
      const over = new Set(event.markets.filter(isOver));
      for (const market of over) this.#markets.delete(market.ticker);
      if (over.size > 0) event.markets.splice(0, Infinity, ...event.markets.filter((market) => !over.has(market)));
      if (over.size > 0 && event.markets.length === 0) this.#events.delete(ticker);
    }
  }

  /** Takes back what `raw` gave. */
  restore(raw: unknown): void {
    if (!isFields(raw) || !isFields(raw.event)) return;
    this.learnSeries(raw.series);
    this.learnEvent({ ...raw.event, markets: [raw.market] });
  }

  eventText({ packed, markets }: KeptEvent, withMarkets: boolean): string {
    if (!withMarkets) return unpack(packed);
    return `${unpack(packed).slice(0, -1)},"markets":[${markets.map(marketText).join()}]}`;
  }

  #keep(raw: unknown, event: KeptEvent, reading: number): void {
    const ticker = isFields(raw) ? textOf(raw.ticker) : '';
    if (!isFields(raw) || ticker === '') {
      this.drop('a market has no ticker');
      return;
    }
    const known = this.#markets.get(ticker);
    if (known === undefined && this.#markets.size >= MARKETS_MAX) {
      this.drop('there is no room for more markets');
      return;
    }
    const seen = {
      packed: pack(raw),
      status: textOf(raw.status),
      closesAtMs: timeOf(raw.close_time) ?? 0,
      updatedAtMs: timeOf(raw.updated_time) ?? 0,
      settledAtMs: timeOf(raw.settlement_ts),
      leftOut: undefined,
      seenIn: Math.max(reading, known?.seenIn ?? 0),
    };
    const market: KeptMarket = Object.assign(known ?? { ticker, event }, seen);
    if (known === undefined) {
      this.#markets.set(ticker, market);
      event.markets.push(market);
    }
    const series = this.#series.get(event.series);
    const read = readListing({ series, event: JSON.parse(unpack(event.packed)) as RawFields, market: raw });
    if (typeof read === 'string') market.leftOut = read;
    this.onLearnt(ticker);
  }
}

export function marketText({ packed }: KeptMarket): string {
  return unpack(packed);
}

/** Bytes outside of the heap: a catalogue of texts and objects would be collected again and again. */
function pack(fields: RawFields): Buffer {
  return Buffer.from(JSON.stringify(fields));
}

function unpack(packed: Buffer): string {
  return packed.toString('utf8');
}
