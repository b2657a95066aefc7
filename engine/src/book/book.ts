import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { BookChanges } from './book-changes.ts';
import type { Level, Side } from './level.ts';

/**
 * The resting orders of one token, best level first on both sides, one level per price. Changed in place. `changes`: what the
 * functions below have changed of it, where somebody may want to know.
 */
export type Book = { bids: Level[]; asks: Level[]; changes?: BookChanges };

/** A book with nothing in it. */
export function createBook(): Book {
  return { bids: [], asks: [] };
}

/** One that tells what has changed in it. */
export function createTrackedBook(): Book & { changes: BookChanges } {
  return { bids: [], asks: [], changes: new BookChanges() };
}

/**
 * Takes over a snapshot whose levels come in any order. Empty levels are left out; of two levels at one price the
 * later one holds. The given levels are copied, so later changes to the book do not reach them.
 */
export function replaceBook(book: Book, bids: readonly Level[], asks: readonly Level[]): void {
  const { bids: bidsBefore, asks: asksBefore, changes } = book;
  book.bids = sorted(bids, 'buy');
  book.asks = sorted(asks, 'sell');
  if (changes?.isKept !== true) return;
  noteReplaced(changes, 'buy', bidsBefore, book.bids);
  noteReplaced(changes, 'sell', asksBefore, book.asks);
}

/** Sets the size of the level at `price` on the side it rests on; a size of zero removes it. */
export function applyLevelChange(book: Book, side: Side, price: Price, size: Shares): void {
  const levels = side === 'buy' ? book.bids : book.asks;
  const index = indexOfPrice(levels, side, price);
  const level = levels[index];
  if (level !== undefined && level.price === price) {
    if (level.size === size) return;
    if (size > 0) level.size = size;
    else levels.splice(index, 1);
  } else if (size > 0) {
    levels.splice(index, 0, { price, size });
  } else return;
  book.changes?.note(side, price, size);
}

/**
 * Drops the levels that are better than the best the venue states, which it therefore no longer has. A stated bid of
 * 0 or ask of 1 means that side is empty; null means the venue said nothing of that side.
 *
 * Returns whether the book now agrees with what was stated; if not, a level is missing and a snapshot is due.
 */
export function dropBeyondBest(book: Book, statedBid: Price | null, statedAsk: Price | null): boolean {
  const bidsAgree = statedBid === null || dropBetterThan(book, 'buy', statedBid, NO_BID);
  const asksAgree = statedAsk === null || dropBetterThan(book, 'sell', statedAsk, NO_ASK);
  return bidsAgree && asksAgree;
}

export function bestBid(book: Book): Price | null {
  return book.bids[0]?.price ?? null;
}

export function bestAsk(book: Book): Price | null {
  return book.asks[0]?.price ?? null;
}

/** Whether somebody bids at least what somebody asks. Orders like that would have traded, so the book is wrong. */
export function isCrossed(book: Book): boolean {
  const bid = book.bids[0];
  const ask = book.asks[0];
  return bid !== undefined && ask !== undefined && bid.price >= ask.price;
}

const NO_BID = 0;
const NO_ASK = 1_000_000;

function dropBetterThan({ bids, asks, changes }: Book, side: Side, stated: Price, empty: number): boolean {
  const levels = side === 'buy' ? bids : asks;
  // Nearly always, and spares looking through levels that the processor has not at hand.
  if (levels[0]?.price === stated) return true;
  const beyond = indexOfPrice(levels, side, stated);
  if (beyond > 0) {
    for (const { price } of levels.splice(0, beyond)) changes?.note(side, price, SHARES_ZERO);
  }
  const best = levels[0];
  return best === undefined ? stated === empty : best.price === stated;
}

/** Both best first: in one pass. */
function noteReplaced(changes: BookChanges, side: Side, before: readonly Level[], after: readonly Level[]): void {
  let place = 0;
  for (const { price, size } of after) {
    let old = before[place];
    for (; old !== undefined && isBetter(side, old.price, price); old = before[++place]) {
      changes.note(side, old.price, SHARES_ZERO);
    }
    if (old?.price === price) place += 1;
    if (old?.price !== price || old.size !== size) changes.note(side, price, size);
  }
  for (const { price } of before.slice(place)) changes.note(side, price, SHARES_ZERO);
}

function isBetter(side: Side, price: Price, than: Price): boolean {
  return side === 'buy' ? price > than : price < than;
}

/** Where `price` stands in the levels, or where it would have to be put in. */
function indexOfPrice(levels: readonly Level[], side: Side, price: Price): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const level = levels[middle];
    if (level === undefined) break;
    if (isBetter(side, level.price, price)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sorted(levels: readonly Level[], side: Side): Level[] {
  const sizeAtPrice = new Map<Price, Shares>();
  for (const { price, size } of levels) sizeAtPrice.set(price, size);
  const kept: Level[] = [];
  for (const [price, size] of sizeAtPrice) if (size > 0) kept.push({ price, size });
  return kept.sort(side === 'buy' ? (a, b) => b.price - a.price : (a, b) => a.price - b.price);
}
