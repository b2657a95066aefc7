import { type Price, priceFromMicro } from '@dutchbook/units/price.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import type { LevelChange, RecordedLevel, RecordedSide } from './record.ts';

const DOLLAR = 1_000_000;

/**
 * The levels of one side as they were recorded last. All of them are looked at whenever a book is noted, so they lie in two plain
 * arrays: of books by the thousand it is memory that takes the time.
 */
export class KeptSide {
  readonly #side: RecordedSide;
  readonly #prices: number[] = [];
  readonly #sizes: number[] = [];

  constructor(side: RecordedSide) {
    this.#side = side;
  }

  /** Makes it the same as `levels`, the best first, and adds what that changes. */
  follow(levels: readonly RecordedLevel[], changes: LevelChange[]): void {
    const prices = this.#prices;
    const sizes = this.#sizes;
    let place = 0;
    for (const { price, size } of levels) {
      for (let kept = prices[place]; kept !== undefined && this.#isBetter(kept, price); kept = prices[place])
        this.#remove(place, changes);
      if (prices[place] !== price) {
        prices.splice(place, 0, price);
        sizes.splice(place, 0, size);
        changes.push({ side: this.#side, price, size });
      } else if (sizes[place] !== size) {
        sizes[place] = size;
        changes.push({ side: this.#side, price, size });
      }
      place += 1;
    }
    while (prices.length > place) this.#remove(place, changes);
  }

  /** Whether the other side of the other outcome is this one: who offers one at p bids a dollar less p for the other. */
  mirrors(levels: readonly RecordedLevel[]): boolean {
    const prices = this.#prices;
    if (prices.length !== levels.length) return false;
    let place = 0;
    for (const { price, size } of levels) {
      if (prices[place] !== DOLLAR - price || this.#sizes[place] !== size) return false;
      place += 1;
    }
    return true;
  }

  #isBetter(one: number, other: Price): boolean {
    return this.#side === 'buy' ? one > other : one < other;
  }

  #remove(place: number, changes: LevelChange[]): void {
    const [price = 0] = this.#prices.splice(place, 1);
    this.#sizes.splice(place, 1);
    changes.push({ side: this.#side, price: priceFromMicro(price), size: SHARES_ZERO });
  }
}
