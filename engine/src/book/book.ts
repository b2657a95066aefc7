import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { Level, Side } from './level.ts';

/** Listener to the changes that the functions below make in a book. */
export type BookFollower = {
  /** The size of the level at `price` from now on; zero: nothing rests there any more. */
  changed: (side: Side, price: Price, size: Shares) => void;
  replaced: (book: Book) => void;
};

/**
 * The resting orders of one token, best level first on both sides, one level per price. Changed in place. `follower`: the reader that
 * follows the book, null while there is none; absent where a book cannot be followed.
 */
export type Book = { bids: Level[]; asks: Level[]; follower?: BookFollower | null };

/** A book with nothing in it. */
export function createBook(): Book {
  return { bids: [], asks: [] };
}

/** A book with listeners. */
export function createFollowableBook(): Book {
  return { bids: [], asks: [], follower: null };
}

/**
 * Takes over a snapshot whose levels come in any order. Empty levels are left out; of two levels at one price the
 * later one holds. The given levels are copied, so later changes to the book do not reach them.
 */
export function replaceBook(book: Book, bids: readonly Level[], asks: readonly Level[]): void {
  book.bids = sorted(bids, 'buy');
  book.asks = sorted(asks, 'sell');
  book.follower?.replaced(book);
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
  book.follower?.changed(side, price, size);
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

/** Whether the best bid is at or above the best ask. Such orders would have traded, so the book is wrong. */
export function isCrossed(book: Book): boolean {
  const bid = book.bids[0];
  const ask = book.asks[0];
  return bid !== undefined && ask !== undefined && bid.price >= ask.price;
}

const NO_BID = 0;
const NO_ASK = 1_000_000;

function dropBetterThan({ bids, asks, follower }: Book, side: Side, stated: Price, empty: number): boolean {
  const levels = side === 'buy' ? bids : asks;
  // Nearly always, and spares looking through levels that the processor has not at hand.
  if (levels[0]?.price === stated) return true;
  const beyond = indexOfPrice(levels, side, stated);
  if (beyond > 0) {
    for (const { price } of levels.splice(0, beyond)) follower?.changed(side, price, SHARES_ZERO);
  }
  const best = levels[0];
  return best === undefined ? stated === empty : best.price === stated;
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
