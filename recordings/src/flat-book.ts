/** A book as a process keeps it that records those of a whole venue. */
import {
  type FlatLevels,
  isBetterPrice,
  NUMBERS_A_LEVEL,
  setFlatLevel,
  unfoldedLevels,
} from '@dutchbook/units/flat-levels.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { LevelChange, RecordedLevel } from './record.ts';

export class FlatBook {
  #bids: FlatLevels = [];
  #asks: FlatLevels = [];

  get bids(): RecordedLevel[] {
    return unfoldedLevels(this.#bids);
  }

  get asks(): RecordedLevel[] {
    return unfoldedLevels(this.#asks);
  }

  setLevel({ side, price, size }: LevelChange): void {
    const isBid = side === 'buy';
    setFlatLevel(isBid ? this.#bids : this.#asks, isBid, price, size);
  }

  /** Keeps the arrays that it is given. `onChange`: each level that has another size by that. */
  replace(bids: FlatLevels, asks: FlatLevels, onChange: (change: LevelChange) => void): void {
    compare('buy', this.#bids, bids, onChange);
    compare('sell', this.#asks, asks, onChange);
    this.#bids = bids;
    this.#asks = asks;
  }
}

/** In one pass over both. */
function compare(
  side: LevelChange['side'],
  before: FlatLevels,
  after: FlatLevels,
  onChange: (change: LevelChange) => void,
): void {
  const say = (price: number, size: number) => onChange({ side, price: price as Price, size: size as Shares });
  let at = 0;
  for (let place = 0; place < after.length; place += NUMBERS_A_LEVEL) {
    const [price = 0, size = 0] = [after[place], after[place + 1]];
    for (; at < before.length && isBetterPrice(side === 'buy', before[at] ?? 0, price); at += NUMBERS_A_LEVEL)
      say(before[at] ?? 0, SHARES_ZERO);
    const isThere = before[at] === price;
    if (!isThere || before[at + 1] !== size) say(price, size);
    if (isThere) at += NUMBERS_A_LEVEL;
  }
  for (; at < before.length; at += NUMBERS_A_LEVEL) say(before[at] ?? 0, SHARES_ZERO);
}
