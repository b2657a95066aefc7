/** How much of a book a late order finds once earlier orders of the same account have taken from it. */

import type { Price } from '@dutchbook/units/price.ts';
import { minShares, type Shares } from '@dutchbook/units/shares.ts';
import type { Level } from '../book/level.ts';

/** The part of earlier levels that still stands now; both best first, of one side. */
export function stillStanding(before: readonly Level[], now: readonly Level[]): Level[] {
  const sizes = new Map(now.map(({ price, size }) => [price, size]));
  return before.flatMap(({ price, size }) => {
    const left = sizes.get(price);
    return left === undefined ? [] : [{ price, size: minShares(size, left) }];
  });
}

/** Shares that the rehearsal took from one side of a book, by price; the recording still shows them. */
export type TakenShares = Map<Price, Shares>;

export function noteTaken(taken: TakenShares, levels: readonly Level[]): void {
  for (const { price, size } of levels) taken.set(price, ((taken.get(price) ?? 0) + size) as Shares);
}

/** An order at a price that had been empty is taken to be another order. */
export function forgetLeft(taken: TakenShares, levels: readonly Level[]): void {
  for (const price of taken.keys()) if (!levels.some((level) => level.price === price)) taken.delete(price);
}

/** The levels without what was taken of them. */
export function withoutTaken(levels: readonly Level[], taken: TakenShares | undefined): Level[] {
  return levels
    .map(({ price, size }): Level => ({ price, size: (size - (taken?.get(price) ?? 0)) as Shares }))
    .filter(({ size }) => size > 0);
}
