import {
  type FlatLevels,
  NUMBERS_A_LEVEL,
  placeOfPrice,
  setFlatLevel,
  unfoldedLevels,
} from '@dutchbook/units/flat-levels.ts';
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
 * The resting orders of one token, best level first on both sides, one level per price. Of a kept one both sides are unfolded anew each
 * time: whoever reads a side twice keeps what was read.
 */
export type Book = { readonly bids: readonly Level[]; readonly asks: readonly Level[] };

/** A book that the functions below change in place. `follower`: the reader that follows it, null while there is none. */
export class KeptBook implements Book {
  bidLevels: FlatLevels = [];
  askLevels: FlatLevels = [];
  follower: BookFollower | null = null;

  get bids(): Level[] {
    return unfoldedLevels(this.bidLevels);
  }

  get asks(): Level[] {
    return unfoldedLevels(this.askLevels);
  }
}

/**
 * Takes over a snapshot whose levels come in any order. Empty levels are left out; of two levels at one price the
 * later one holds. The given levels are copied, so later changes to the book do not reach them.
 */
export function replaceBook(book: KeptBook, bids: readonly Level[], asks: readonly Level[]): void {
  book.bidLevels = folded(bids, 'buy');
  book.askLevels = folded(asks, 'sell');
  book.follower?.replaced(book);
}

/** Sets the size of the level at `price` on the side it rests on; a size of zero removes it. */
export function applyLevelChange(book: KeptBook, side: Side, price: Price, size: Shares): void {
  const isBid = side === 'buy';
  const hasChanged = setFlatLevel(isBid ? book.bidLevels : book.askLevels, isBid, price, size);
  if (hasChanged) book.follower?.changed(side, price, size);
}

/** The size that rests at a price; zero where there is no level. */
export function sizeAtPrice(book: KeptBook, side: Side, price: Price): Shares {
  const isBid = side === 'buy';
  const levels = isBid ? book.bidLevels : book.askLevels;
  const place = placeOfPrice(levels, isBid, price);
  return levels[place] === price ? (levels[place + 1] as Shares) : SHARES_ZERO;
}

/**
 * Drops the levels that are better than the best the venue states, which it therefore no longer has. A stated bid of
 * 0 or ask of 1 means that side is empty; null means the venue said nothing of that side.
 *
 * Returns whether the book now agrees with what was stated; if not, a level is missing and a snapshot is due.
 */
export function dropBeyondBest(book: KeptBook, statedBid: Price | null, statedAsk: Price | null): boolean {
  const bidsAgree = statedBid === null || dropBetterThan(book, 'buy', statedBid, NO_BID);
  const asksAgree = statedAsk === null || dropBetterThan(book, 'sell', statedAsk, NO_ASK);
  return bidsAgree && asksAgree;
}

/** Level by level, the best first: those that are not asked for are not unfolded. */
export function* levelsOf(book: Book, side: Side): Generator<Level, void> {
  const isBid = side === 'buy';
  if (!(book instanceof KeptBook)) {
    yield* isBid ? book.bids : book.asks;
    return;
  }
  const levels = isBid ? book.bidLevels : book.askLevels;
  for (let place = 0; place < levels.length; place += NUMBERS_A_LEVEL)
    yield { price: levels[place] as Price, size: levels[place + 1] as Shares };
}

export function bestBid(book: Book): Price | null {
  return bestLevel(book, 'buy')?.price ?? null;
}

export function bestAsk(book: Book): Price | null {
  return bestLevel(book, 'sell')?.price ?? null;
}

/** Without the levels behind it. */
export function bestLevel(book: Book, side: Side): Level | undefined {
  const isBid = side === 'buy';
  if (!(book instanceof KeptBook)) return (isBid ? book.bids : book.asks)[0];
  const [price, size] = isBid ? book.bidLevels : book.askLevels;
  return price === undefined ? undefined : { price: price as Price, size: size as Shares };
}

/** Whether the best bid is at or above the best ask. Such orders would have traded, so the book is wrong. */
export function isCrossed(book: Book): boolean {
  const [bid, ask] = [bestBid(book), bestAsk(book)];
  return bid !== null && ask !== null && bid >= ask;
}

const NO_BID = 0;
const NO_ASK = 1_000_000;

function dropBetterThan(book: KeptBook, side: Side, stated: Price, empty: number): boolean {
  const isBid = side === 'buy';
  const levels = isBid ? book.bidLevels : book.askLevels;
  // Nearly always, and spares looking through levels that the processor has not at hand.
  if (levels[0] === stated) return true;
  const beyond = placeOfPrice(levels, isBid, stated);
  for (const { price } of unfoldedLevels(levels.splice(0, beyond))) book.follower?.changed(side, price, SHARES_ZERO);
  const [best] = levels;
  return best === undefined ? stated === empty : best === stated;
}

function folded(levels: readonly Level[], side: Side): FlatLevels {
  const sizeAtPrice = new Map<Price, Shares>();
  for (const { price, size } of levels) sizeAtPrice.set(price, size);
  const prices = [...sizeAtPrice.keys()].sort(side === 'buy' ? (a, b) => b - a : (a, b) => a - b);
  const flat: FlatLevels = [];
  for (const price of prices) {
    const size = sizeAtPrice.get(price) ?? SHARES_ZERO;
    if (size > 0) flat.push(price, size);
  }
  return flat;
}
