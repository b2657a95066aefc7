/** The other end of a `BookLog`: books of its own, as far as it has read, and what has changed in each since it was last asked. */
import type { FlatLevels } from '@dutchbook/units/flat-levels.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { COUNT_SCALE, headOf, LOG_KINDS } from './book-log.ts';
import { FlatBook } from './flat-book.ts';
import { type LevelChange, RECORDED_TRUSTS, type RecordedTrust } from './record.ts';

/** With more changes a whole book is cheaper to record. */
const CHANGES_MAX = 100;

/** `partner`: the other outcome of its market, null where it has not two or that is not known. */
export type BookName = { book: number; tokenId: TokenId; partner: string | null };

/** How the book of a token stands. */
export class ReadToken {
  readonly tokenId: TokenId;
  partner: string | null = null;
  readonly book = new FlatBook();
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
    this.book.setLevel(change);
    this.#note(change);
  }

  replace(bids: FlatLevels, asks: FlatLevels): void {
    this.book.replace(bids, asks, (change) => this.#note(change));
  }

  #note(change: LevelChange): void {
    const changes = this.#changes;
    if (changes === null) return;
    const known = changes.find(({ side, price }) => side === change.side && price === change.price);
    if (known !== undefined) known.size = change.size;
    else if (changes.length < CHANGES_MAX) changes.push(change);
    else this.#changes = null;
  }
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
      const bids = this.#pairs(Math.floor(second / COUNT_SCALE));
      const asks = this.#pairs(second % COUNT_SCALE);
      read?.replace(bids, asks);
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

  #pairs(count: number): FlatLevels {
    const numbers: FlatLevels = [];
    for (let left = count; left > 0; left -= 1) numbers.push(...this.#pair());
    return numbers;
  }

  #pair(): [number, number] {
    const place = this.#place;
    this.#place = (place + 2) & this.#mask;
    return [this.#numbers[place] ?? Number.NaN, this.#numbers[place + 1] ?? Number.NaN];
  }
}
