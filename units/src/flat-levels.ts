/**
 * The levels of one side of a book as plain numbers, price and size by turns, best first. Processes that follow a whole venue hold
 * millions of levels: an object for each takes four times the memory, and the garbage collector looks at all of them.
 */
import type { Price } from './price.ts';
import type { Shares } from './shares.ts';

/** Prices and sizes in millionths. */
export type FlatLevels = number[];

export const NUMBERS_A_LEVEL = 2;

/** Whether the levels are bids, of which the highest is the best. */
export type OfBids = boolean;

export function isBetterPrice(ofBids: OfBids, price: number, than: number): boolean {
  return ofBids ? price > than : price < than;
}

/** The index of the level of that price, or of where it would have to be put in. */
export function placeOfPrice(levels: FlatLevels, ofBids: OfBids, price: number): number {
  let low = 0;
  let high = levels.length / NUMBERS_A_LEVEL;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBetterPrice(ofBids, levels[middle * NUMBERS_A_LEVEL] ?? 0, price)) low = middle + 1;
    else high = middle;
  }
  return low * NUMBERS_A_LEVEL;
}

/** A size of zero removes the level. @returns whether anything has changed */
export function setFlatLevel(levels: FlatLevels, ofBids: OfBids, price: Price, size: Shares): boolean {
  const place = placeOfPrice(levels, ofBids, price);
  const isThere = levels[place] === price;
  if (size <= 0) {
    if (isThere) levels.splice(place, NUMBERS_A_LEVEL);
    return isThere;
  }
  if (!isThere) levels.splice(place, 0, price, size);
  else if (levels[place + 1] === size) return false;
  else levels[place + 1] = size;
  return true;
}

/** A new object for each level. */
export function unfoldedLevels(levels: FlatLevels): { price: Price; size: Shares }[] {
  const unfolded: { price: Price; size: Shares }[] = [];
  for (let place = 0; place < levels.length; place += NUMBERS_A_LEVEL)
    unfolded.push({ price: levels[place] as Price, size: levels[place + 1] as Shares });
  return unfolded;
}
