/**
 * Archives of a venue's market channel, a row for each change of a level: `timestamp` by the venue's clock, `asset_id`, `side` (BID or
 * ASK), `price`, `size` that now rests there, and `best_bid` and `best_ask` as they are once all rows of that timestamp are applied. Where
 * an archive states a change for both outcomes of a market, it takes two rows. A whole book is a row for each of its levels, all of one
 * timestamp; without one, books begin empty.
 */
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { complement, type Price, priceFromNumber } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { BookRecorder } from '../book-recorder.ts';
import { UnreadableRecording } from '../bytes.ts';
import { type FollowedBook, setLevel } from '../follow-books.ts';
import type { LevelChange, Recorded, RecordedLevel, RecordedSide } from '../record.ts';
import { numberOf, textOf, timeOf } from './rows.ts';

export const TICK_COLUMNS = [
  ...(['timestamp', 'asset_id', 'side', 'price', 'size', 'best_bid', 'best_ask', 'event_type'] as const),
];
export type TickTable = Record<(typeof TICK_COLUMNS)[number], unknown[]>;

/** `best`: null with a level of a whole book, which says itself what is best. */
type Tick = LevelChange & { timestamp: Instant; tokenId: TokenId; best: { bid: Price; ask: Price } | null };

export class TickReader {
  #records: Recorded[] = [];
  readonly #recorder = new BookRecorder((record) => void this.#records.push(copyOf(record)));
  readonly #books = new Map<string, FollowedBook>();
  readonly #others = new Map<string, string>();
  /** Rows of one market and one timestamp, which happened together. */
  #group: Tick[] = [];
  #at: Instant | null = null;
  #rows = 0;

  /** @returns the records that are whole. @throws UnreadableRecording, which names the row */
  read(table: TickTable): Recorded[] {
    for (let place = 0; place < table.timestamp.length; place += 1) {
      this.#rows += 1;
      try {
        const tick = tickAt(table, place);
        if (tick !== null) this.#add(tick);
      } catch (error) {
        throw new UnreadableRecording(`row ${this.#rows}: ${error instanceof Error ? error.message : 'unreadable'}`);
      }
    }
    return this.#taken();
  }

  /** What the last rows have changed. */
  end(): Recorded[] {
    this.#close();
    return this.#taken();
  }

  #taken(): Recorded[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  #add(tick: Tick): void {
    const last = this.#group.at(-1);
    if (last !== undefined && isMirror(last, tick)) this.#pair(last.tokenId, tick.tokenId);
    const isSame = last?.timestamp === tick.timestamp && this.#isOneMarket(last.tokenId, tick.tokenId);
    if (last !== undefined && !isSame) this.#close();
    this.#group.push(tick);
  }

  /** For good, the first time that they are recorded together. */
  #pair(one: string, other: string): void {
    if (this.#others.has(one) || this.#others.has(other)) return;
    this.#others.set(one, other).set(other, one);
  }

  #isOneMarket(one: string, other: string): boolean {
    return one === other || this.#others.get(one) === other;
  }

  #close(): void {
    const group = this.#group;
    const [first] = group;
    if (first === undefined) return;
    this.#group = [];
    // It is the venue's clock that may go backwards; what is recorded later has not arrived before.
    const at = this.#at !== null && this.#at > first.timestamp ? this.#at : first.timestamp;
    this.#at = at;
    const ticks = Map.groupBy(group, ({ tokenId }) => tokenId);
    for (const tokenId of [...ticks.keys()].toSorted()) {
      const partner = this.#others.get(tokenId) ?? null;
      const book = this.#bookOf(tokenId);
      const changes = applied(book, ticks.get(tokenId) ?? []);
      this.#recorder.note({ tokenId, partner, book, changes, trust: 'live', at, venueAt: first.timestamp });
    }
  }

  #bookOf(tokenId: TokenId): FollowedBook {
    const book = this.#books.get(tokenId) ?? { bids: [], asks: [] };
    this.#books.set(tokenId, book);
    return book;
  }
}

/**
 * Archives lack some removals: what is better than the best is not there, nor what a whole book does not have. A best of 0 bids, or of 1
 * asks, is none.
 *
 * @returns what that has changed, one of each level
 */
function applied(book: FollowedBook, ticks: readonly Tick[]): LevelChange[] {
  const changes = new Map<string, LevelChange>();
  const apply = (change: LevelChange) => {
    setLevel(book, change);
    changes.set(`${change.side} ${change.price}`, change);
  };
  const drop = (side: RecordedSide, levels: readonly RecordedLevel[]) => {
    for (const { price } of levels) apply({ side, price, size: SHARES_ZERO });
  };
  for (const [place, { side, price, size, best }] of ticks.entries()) {
    const beginsBook = best === null && ticks[place - 1]?.best !== null;
    if (beginsBook) {
      drop('buy', [...book.bids]);
      drop('sell', [...book.asks]);
    }
    apply({ side, price, size });
  }
  const best = ticks.at(-1)?.best;
  if (best !== null && best !== undefined) {
    drop(
      'buy',
      book.bids.filter((level) => level.price > best.bid),
    );
    drop(
      'sell',
      book.asks.filter((level) => level.price < best.ask),
    );
  }
  return [...changes.values()];
}

/** Whether two ticks are one change seen from both outcomes of its market. */
function isMirror(one: Tick, other: Tick): boolean {
  return (
    one.best !== null &&
    other.best !== null &&
    one.tokenId !== other.tokenId &&
    one.timestamp === other.timestamp &&
    one.side !== other.side &&
    one.size === other.size &&
    one.price === complement(other.price)
  );
}

/** Books change in place behind their record. */
function copyOf(record: Recorded): Recorded {
  if (record.kind !== 'book') return record;
  const { bids, asks } = record;
  return { ...record, bids: bids.map((level) => ({ ...level })), asks: asks.map((level) => ({ ...level })) };
}

export const TICK_EVENTS = 'PRICE_CHANGE, LAST_TRADE or, with a row for each level, BOOK';

/** What others call it; null where it is nothing of these. */
export function tickEventOf(name: string): 'change' | 'trade' | 'book' | null {
  switch (name.toUpperCase()) {
    case 'PRICE_CHANGE':
      return 'change';
    case 'LAST_TRADE':
    case 'LAST_TRADE_PRICE':
      return 'trade';
    case 'BOOK':
    case 'BOOK_SNAPSHOT':
    case 'SNAPSHOT':
      return 'book';
    default:
      return null;
  }
}

/** Null for a trade, which changes no book by itself. */
function tickAt(table: TickTable, place: number): Tick | null {
  const text = (column: keyof TickTable) => textOf(table[column][place], column);
  const price = (column: keyof TickTable) => priceFromNumber(numberOf(table[column][place], column));
  const event = tickEventOf(text('event_type'));
  if (event === 'trade') return null;
  if (event === null)
    throw new UnreadableRecording(`event_type is ${text('event_type').slice(0, 40)}, not ${TICK_EVENTS}`);
  return {
    timestamp: timeOf(table.timestamp[place], 'timestamp'),
    tokenId: text('asset_id'),
    side: sideOf(text('side')),
    price: price('price'),
    size: sharesFromNumber(numberOf(table.size[place], 'size')),
    best: event === 'book' ? null : { bid: price('best_bid'), ask: price('best_ask') },
  };
}

function sideOf(name: string): RecordedSide {
  if (/^(bid|buy)$/i.test(name)) return 'buy';
  if (/^(ask|sell)$/i.test(name)) return 'sell';
  throw new UnreadableRecording(`side is ${name.slice(0, 40)}, not BID or ASK`);
}
