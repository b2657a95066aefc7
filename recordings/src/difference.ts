import { complement } from '@dutchbook/units/price.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import type { LevelChange, RecordedLevel, RecordedSide } from './record.ts';

/** Best level first on both sides. */
export type ReadBook = { readonly bids: readonly RecordedLevel[]; readonly asks: readonly RecordedLevel[] };

/** What makes the one book of the other, a change for each level that differs. */
export function changesBetween(before: ReadBook, after: ReadBook): LevelChange[] {
  const changes: LevelChange[] = [];
  addChanges(changes, 'buy', before.bids, after.bids);
  addChanges(changes, 'sell', before.asks, after.asks);
  return changes;
}

/** Best level first on both sides; changed in place. */
export type KeptBook = { bids: RecordedLevel[]; asks: RecordedLevel[] };

/** Makes of the book before a change the one after it. */
export function setLevel({ bids, asks }: KeptBook, { side, price, size }: LevelChange): void {
  const levels = side === 'buy' ? bids : asks;
  const at = levels.findIndex((level) => (side === 'buy' ? level.price <= price : level.price >= price));
  const place = at < 0 ? levels.length : at;
  const there = levels[place];
  if (there?.price !== price) {
    if (size > 0) levels.splice(place, 0, { price, size });
  } else if (size > 0) there.size = size;
  else levels.splice(place, 1);
}

function addChanges(
  changes: LevelChange[],
  side: RecordedSide,
  before: readonly RecordedLevel[],
  after: readonly RecordedLevel[],
): void {
  let [old, now] = [0, 0];
  for (;;) {
    const [was, is] = [before[old], after[now]];
    if (was === undefined && is === undefined) return;
    if (was !== undefined && is !== undefined && was.price === is.price) {
      if (was.size !== is.size) changes.push({ side, price: is.price, size: is.size });
      old += 1;
      now += 1;
      continue;
    }
    if (is === undefined || (was !== undefined && comesFirst(side, was, is))) {
      if (was !== undefined) changes.push({ side, price: was.price, size: SHARES_ZERO });
      old += 1;
    } else {
      changes.push({ side, price: is.price, size: is.size });
      now += 1;
    }
  }
}

function comesFirst(side: RecordedSide, one: RecordedLevel, other: RecordedLevel): boolean {
  return side === 'buy' ? one.price > other.price : one.price < other.price;
}

/** Whether each is the other's: an offer of one outcome at p is a bid for the other at a dollar less p. */
export function isMirrorOf(one: ReadBook, other: ReadBook): boolean {
  return mirrors(one.bids, other.asks) && mirrors(one.asks, other.bids);
}

function mirrors(one: readonly RecordedLevel[], other: readonly RecordedLevel[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ price, size }, place) => {
      const level = other[place];
      return level !== undefined && level.size === size && level.price === complement(price);
    })
  );
}
