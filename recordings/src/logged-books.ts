/** The other end of a `BookLog`: books of its own, as far as it has read, and what has changed in each since it was last asked. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { COUNT_SCALE, headOf, LOG_KINDS } from './book-log.ts';
import { type FollowedBook, setLevel } from './follow-books.ts';
import {
  type LevelChange,
  RECORDED_TRUSTS,
  type RecordedLevel,
  type RecordedSide,
  type RecordedTrust,
} from './record.ts';

/** With more changes a whole book is cheaper to record. */
const CHANGES_MAX = 100;

/** `partner`: the other outcome of its market, null where it has not two or that is not known. */
export type BookName = { book: number; tokenId: TokenId; partner: string | null };

/** How the book of a token stands. */
export class ReadToken {
  readonly tokenId: TokenId;
  partner: string | null = null;
  readonly book: FollowedBook = { bids: [], asks: [] };
  trust: RecordedTrust = 'none';
  venueAt: Instant | null = null;
  /** Null: not known, because they were not asked for before or were too many. */
  #changes: LevelChange[] | null = null;

  constructor(tokenId: TokenId) {
    this.tokenId = tokenId;
  }

  /** What has changed since this was asked last, one of each level; null where anything may have. */
  takeChanges(): readonly LevelChange[] | null {
    const taken = this.#changes;
    this.#changes = [];
    return taken;
  }

  change(change: LevelChange): void {
    setLevel(this.book, change);
    this.#note(change);
  }

  replace(bids: RecordedLevel[], asks: RecordedLevel[]): void {
    const before = { ...this.book };
    this.book.bids = bids;
    this.book.asks = asks;
    this.#noteReplaced('buy', before.bids, bids);
    this.#noteReplaced('sell', before.asks, asks);
  }

  #note(change: LevelChange): void {
    const changes = this.#changes;
    if (changes === null) return;
    const known = changes.find(({ side, price }) => side === change.side && price === change.price);
    if (known !== undefined) known.size = change.size;
    else if (changes.length < CHANGES_MAX) changes.push(change);
    else this.#changes = null;
  }

  /** Both best first: in one pass. */
  #noteReplaced(side: RecordedSide, before: readonly RecordedLevel[], after: readonly RecordedLevel[]): void {
    let place = 0;
    for (const { price, size } of after) {
      let old = before[place];
      for (; old !== undefined && isBetter(side, old.price, price); old = before[++place]) {
        this.#note({ side, price: old.price, size: SHARES_ZERO });
      }
      if (old?.price === price) place += 1;
      if (old?.price !== price || old.size !== size) this.#note({ side, price, size });
    }
    for (const { price } of before.slice(place)) this.#note({ side, price, size: SHARES_ZERO });
  }
}

function isBetter(side: RecordedSide, price: Price, than: Price): boolean {
  return side === 'buy' ? price > than : price < than;
}

/** Told at one moment, in that order; a token of which nothing is known any more is not among the books. */
export type LoggedInstant = (at: Instant, reported: readonly ReadToken[]) => void;

export class LoggedBooks {
  readonly #numbers: Float64Array;
  readonly #mask: number;
  readonly #books = new Map<number, ReadToken>();
  readonly #tokens = new Map<string, { book: number; read: ReadToken }>();
  #place: number;

  /** Reads from that place on. */
  constructor(shared: SharedArrayBuffer, place: number) {
    this.#place = place;
    this.#numbers = new Float64Array(shared);
    this.#mask = this.#numbers.length - 1;
  }

  /** Read up to there. */
  get place(): number {
    return this.#place;
  }

  token(tokenId: TokenId): ReadToken | undefined {
    return this.#tokens.get(tokenId)?.read;
  }

  tokenIds(): Iterable<string> {
    return this.#tokens.keys();
  }

  /** Before anything of the book is read; again where the partner is another. */
  name({ book, tokenId, partner }: BookName): void {
    const read = this.#books.get(book) ?? new ReadToken(tokenId);
    read.partner = partner;
    this.#books.set(book, read);
  }

  /** Nothing is known of any token: what is read from now on is of books that are written whole first. */
  forget(): void {
    this.#books.clear();
    this.#tokens.clear();
  }

  /** Reads on until that place. */
  read(until: number, onMoment: LoggedInstant): void {
    while (this.#place !== until) {
      const [head, second] = this.#pair();
      const { book, small, kind } = headOf(head);
      if (kind === LOG_KINDS.moment) this.#readMoment(second as Instant, small, onMoment);
      else this.#readChange(book, small, kind, second);
    }
  }

  #readMoment(at: Instant, count: number, onMoment: LoggedInstant): void {
    const reported: ReadToken[] = [];
    for (let left = count; left > 0; ) {
      const [head, second] = this.#pair();
      const { book, small, kind } = headOf(head);
      if (kind !== LOG_KINDS.reported && kind !== LOG_KINDS.ended) {
        this.#readChange(book, small, kind, second);
        continue;
      }
      left -= 1;
      const read = this.#books.get(book);
      if (read === undefined) continue;
      reported.push(read);
      if (kind === LOG_KINDS.ended) this.#end(book, read);
      else this.#tell(book, read, RECORDED_TRUSTS[small] ?? 'none', second as Instant);
    }
    onMoment(at, reported);
  }

  #readChange(book: number, small: number, kind: number, second: number): void {
    const read = this.#books.get(book);
    if (kind === LOG_KINDS.book) {
      const bidCount = Math.floor(second / COUNT_SCALE);
      const levels = Array.from({ length: bidCount + (second % COUNT_SCALE) }, () => {
        const [price, size] = this.#pair();
        return { price: price as Price, size: size as Shares };
      });
      read?.replace(levels.slice(0, bidCount), levels.slice(bidCount));
    } else {
      const side = kind === LOG_KINDS.bid ? 'buy' : 'sell';
      read?.change({ side, price: small as Price, size: second as Shares });
    }
  }

  #tell(book: number, read: ReadToken, trust: RecordedTrust, venueAt: Instant): void {
    read.trust = trust;
    read.venueAt = venueAt;
    const before = this.#tokens.get(read.tokenId);
    if (before?.book === book) return;
    if (before !== undefined) this.#books.delete(before.book);
    this.#tokens.set(read.tokenId, { book, read });
  }

  #end(book: number, { tokenId }: ReadToken): void {
    this.#books.delete(book);
    if (this.#tokens.get(tokenId)?.book === book) this.#tokens.delete(tokenId);
  }

  #pair(): [number, number] {
    const place = this.#place;
    this.#place = (place + 2) & this.#mask;
    return [this.#numbers[place] ?? Number.NaN, this.#numbers[place + 1] ?? Number.NaN];
  }
}
