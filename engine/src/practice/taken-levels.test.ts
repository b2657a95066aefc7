import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { bookOf, marketOf } from '../opportunity/quotes.fixture.ts';
import { type TakenLevel, takenWith, withoutTaken } from './taken-levels.ts';

const market = marketOf('m');
const YES = { tokenId: 'm-yes', side: 'sell', market } as const;
const level = (price: number, size: number) => ({ price: priceFromNumber(price), size: sharesFromNumber(size) });

const left = (book: ReturnType<typeof bookOf>, taken: readonly TakenLevel[], tokenId = 'm-yes') => {
  const { bids, asks } = withoutTaken(tokenId, book, taken);
  return { bids: bids.map(({ size }) => size / 1e6), asks: asks.map(({ size }) => size / 1e6) };
};

describe('what practice leaves of a book', () => {
  const book = bookOf(
    [
      [0.4, 30],
      [0.45, 10],
    ],
    [[0.35, 20]],
  );

  it('is less by what it took, until the level shows something else', () => {
    const first = takenWith([], YES, book, [level(0.4, 20)]);
    expect(left(book, first)).toEqual({ bids: [20], asks: [10, 10] });
    const second = takenWith(first, YES, book, [level(0.4, 10), level(0.45, 4)]);
    expect(left(book, second)).toEqual({ bids: [20], asks: [6] });
    const moved = bookOf(
      [
        [0.4, 31],
        [0.45, 10],
      ],
      [[0.35, 20]],
    );
    expect(left(moved, second).asks).toEqual([31, 6]);
    expect(takenWith(second, YES, moved, [level(0.4, 1)])).toMatchObject([{ taken: 1_000_000 }, { taken: 1_000_000 }]);
  });

  it('is less of the book of the other outcome, which is the same one', () => {
    const taken = takenWith([], YES, book, [level(0.4, 20)]);
    const other = bookOf([[0.65, 20]], [[0.6, 30]]);
    expect(left(other, taken, 'm-no')).toEqual({ bids: [10], asks: [20] });
    expect(left(bookOf([], [[0.6, 12]]), taken, 'm-no')).toEqual({ bids: [12], asks: [] });
  });

  it('is all of it where nothing was taken of its token, or of that level', () => {
    expect(withoutTaken('m-yes', book, [])).toBe(book);
    expect(takenWith([], { ...YES, market: undefined }, book, [level(0.4, 1), level(0.5, 1)])).toHaveLength(1);
    expect(withoutTaken('another', book, takenWith([], YES, book, [level(0.4, 20)]))).toBe(book);
  });
});
