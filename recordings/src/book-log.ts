/**
 * What happens to books as plain numbers in a ring, from the thread that changes them to one that records them. Writing one takes no
 * look at a book, no name and no memory; how much was written and how much was read, the two tell each other by other means.
 *
 * A record is two numbers: its head and one more. A head has the kind of record, a number of up to a million or so, and that of a book.
 */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { RECORDED_TRUSTS, type RecordedLevel, type RecordedSide, type RecordedTrust } from './record.ts';

export const LOG_KINDS = {
  /** A level of this price has another size from now on. */
  bid: 0,
  ask: 1,
  /** The whole book: how many bids and asks follow, best first, each as price and size. */
  book: 2,
  /** At that moment so many were published, each by one of the next two kinds; whole books may stand between these. */
  moment: 3,
  /** How far the book is trusted, and since when it is so by the venue. */
  reported: 4,
  /** It is not followed any more. */
  ended: 5,
} as const;
const KIND_SCALE = 8;
const BOOK_SCALE = 2 ** 23;
export const COUNT_SCALE = 2 ** 20;
const NUMBERS_A_RECORD = 2;
const BYTES_A_NUMBER = 8;

/** Room for so many numbers, a power of two, which both threads see. */
export function sharedNumbers(count: number): SharedArrayBuffer {
  return new SharedArrayBuffer(count * BYTES_A_NUMBER);
}

type ReadBook = { readonly bids: readonly RecordedLevel[]; readonly asks: readonly RecordedLevel[] };

/** Writes. Where there is no room, all is lost until it is begun anew: every book is recorded whole again from then on. */
export class BookLog {
  readonly #numbers: Float64Array;
  readonly #mask: number;
  #place = 0;
  #room: number;
  /** Where the moment that is being written begins; negative while none is. */
  #momentPlace = -1;
  #books = 0;
  #epoch = 0;
  #isLost = false;

  constructor(shared: SharedArrayBuffer) {
    this.#numbers = new Float64Array(shared);
    this.#mask = this.#numbers.length - 1;
    // A full ring would look like an empty one.
    this.#room = this.#numbers.length - NUMBERS_A_RECORD;
  }

  /** Where the next record will stand. */
  get place(): number {
    return this.#place;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** How many numbers wait for a reader at that place. */
  waiting(readPlace: number): number {
    return (this.#place - readPlace) & this.#mask;
  }

  /** What stands before that place was read. */
  free(readPlace: number): void {
    this.#room = this.#numbers.length - NUMBERS_A_RECORD - this.waiting(readPlace);
  }

  /** Nothing is written from now on, nor the rest of the moment that is being written. */
  lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#epoch += 1;
    if (this.#momentPlace >= 0) this.#place = this.#momentPlace;
    this.#momentPlace = -1;
  }

  /** `readPlace`: what stands before it was read. */
  beginAnew(readPlace: number): void {
    this.#isLost = false;
    // Of those that were followed meanwhile nothing was written.
    this.#epoch += 1;
    this.free(readPlace);
  }

  /** @returns the book as it is written from now on; its whole has to be written first */
  follow(): LoggedBook {
    this.#books += 1;
    return new LoggedBook(this, this.#books, this.#epoch);
  }

  /** Begins an instant of `count` records; `endInstant` ends it. */
  moment(at: Instant, count: number): void {
    this.#momentPlace = this.#place;
    this.write(0, count, LOG_KINDS.moment, at);
  }

  endInstant(): void {
    this.#momentPlace = -1;
  }

  /** In place of one that was never followed. */
  nothing(): void {
    this.write(0, 0, LOG_KINDS.ended, 0);
  }

  isOf(epoch: number): boolean {
    return epoch === this.#epoch;
  }

  write(book: number, small: number, kind: number, second: number): void {
    this.#pair(book * BOOK_SCALE + small * KIND_SCALE + kind, second);
  }

  writeBook(book: number, { bids, asks }: ReadBook): void {
    this.write(book, 0, LOG_KINDS.book, bids.length * COUNT_SCALE + asks.length);
    for (const { price, size } of bids) this.#pair(price, size);
    for (const { price, size } of asks) this.#pair(price, size);
  }

  #pair(first: number, second: number): void {
    if (this.#room < NUMBERS_A_RECORD) this.lose();
    if (this.#isLost) return;
    const place = this.#place;
    this.#numbers[place] = first;
    this.#numbers[place + 1] = second;
    this.#place = (place + NUMBERS_A_RECORD) & this.#mask;
    this.#room -= NUMBERS_A_RECORD;
  }
}

/**
 * A book whose changes are written down as they happen. `partner`: as last recorded, the other outcome of its market; `askedAt`:
 * in seconds, when that was asked.
 */
export class LoggedBook {
  readonly number: number;
  readonly #log: BookLog;
  #epoch: number;
  partner: string | null = null;
  askedAt = 0;

  constructor(log: BookLog, number: number, epoch: number) {
    this.#log = log;
    this.number = number;
    this.#epoch = epoch;
  }

  /** Whether its changes are written down there. */
  isFollowedIn(log: BookLog): boolean {
    return this.#log === log && log.isOf(this.#epoch);
  }

  changed(side: RecordedSide, price: Price, size: Shares): void {
    const log = this.#log;
    if (!log.isOf(this.#epoch)) return;
    log.write(this.number, price, side === 'buy' ? LOG_KINDS.bid : LOG_KINDS.ask, size);
  }

  replaced(book: ReadBook): void {
    if (this.#log.isOf(this.#epoch)) this.#log.writeBook(this.number, book);
  }

  tell(trust: RecordedTrust, venueAt: Instant): void {
    this.#log.write(this.number, RECORDED_TRUSTS.indexOf(trust), LOG_KINDS.reported, venueAt);
  }

  /** Ends the moment that is being written. */
  end(): void {
    this.#log.write(this.number, 0, LOG_KINDS.ended, 0);
    this.leave();
  }

  /** Another object has become the book of its token. */
  leave(): void {
    this.#epoch = -1;
  }
}

/** How a head is read. */
export function headOf(head: number): { book: number; small: number; kind: number } {
  const book = Math.floor(head / BOOK_SCALE);
  const rest = head - book * BOOK_SCALE;
  return { book, small: Math.floor(rest / KIND_SCALE), kind: rest % KIND_SCALE };
}
