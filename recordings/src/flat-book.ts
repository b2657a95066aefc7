/**
 * A book whose levels are plain numbers, price and size by turns, best first. A process that follows a whole venue holds millions of
 * levels: an object for each takes three times the memory, and all of them are looked at whenever garbage is collected.
 */
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { LevelChange, RecordedLevel, RecordedSide } from './record.ts';

const NUMBERS_A_LEVEL = 2;

export class FlatBook {
  #bids: number[] = [];
  #asks: number[] = [];

  /** A new array of new objects each time. */
  get bids(): RecordedLevel[] {
    return unfolded(this.#bids);
  }

  get asks(): RecordedLevel[] {
    return unfolded(this.#asks);
  }

  setLevel({ side, price, size }: LevelChange): void {
    const levels = side === 'buy' ? this.#bids : this.#asks;
    const place = placeOf(levels, side, price);
    const isThere = levels[place] === price;
    if (size <= 0) {
      if (isThere) levels.splice(place, NUMBERS_A_LEVEL);
    } else if (isThere) levels[place + 1] = size;
    else levels.splice(place, 0, price, size);
  }

  /**
   * The whole book from now on; both sides as price and size by turns, best first, which the book keeps.
   * `onChange`: each level that has another size by that.
   */
  replace(bids: number[], asks: number[], onChange: (change: LevelChange) => void): void {
    compare('buy', this.#bids, bids, onChange);
    compare('sell', this.#asks, asks, onChange);
    this.#bids = bids;
    this.#asks = asks;
  }
}

/** Where the level of that price stands, or would have to be put in. */
function placeOf(levels: readonly number[], side: RecordedSide, price: number): number {
  let place = 0;
  while (place < levels.length && isBetter(side, levels[place] ?? price, price)) place += NUMBERS_A_LEVEL;
  return place;
}

/** In one pass over both. */
function compare(
  side: RecordedSide,
  before: readonly number[],
  after: readonly number[],
  onChange: (change: LevelChange) => void,
): void {
  const say = (price: number, size: number) => onChange({ side, price: price as Price, size: size as Shares });
  let at = 0;
  for (let place = 0; place < after.length; place += NUMBERS_A_LEVEL) {
    const [price = 0, size = 0] = [after[place], after[place + 1]];
    for (; at < before.length && isBetter(side, before[at] ?? price, price); at += NUMBERS_A_LEVEL)
      say(before[at] ?? 0, SHARES_ZERO);
    const isThere = before[at] === price;
    if (!isThere || before[at + 1] !== size) say(price, size);
    if (isThere) at += NUMBERS_A_LEVEL;
  }
  for (; at < before.length; at += NUMBERS_A_LEVEL) say(before[at] ?? 0, SHARES_ZERO);
}

function isBetter(side: RecordedSide, price: number, than: number): boolean {
  return side === 'buy' ? price > than : price < than;
}

function unfolded(levels: readonly number[]): RecordedLevel[] {
  const all: RecordedLevel[] = [];
  for (let place = 0; place < levels.length; place += NUMBERS_A_LEVEL)
    all.push({ price: levels[place] as Price, size: levels[place + 1] as Shares });
  return all;
}
