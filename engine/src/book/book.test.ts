import { priceFromMicro } from '@dutchbook/units/price.ts';
import { sharesFromMicro } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyLevelChange,
  type Book,
  bestAsk,
  bestBid,
  dropBeyondBest,
  isCrossed,
  KeptBook,
  replaceBook,
} from './book.ts';
import type { Level, Side } from './level.ts';

const at = (price: number, size: number): Level => ({
  price: priceFromMicro(Math.round(price * 1e6)),
  size: sharesFromMicro(Math.round(size * 1e6)),
});

const bookOf = (bids: Level[], asks: Level[]): KeptBook => {
  const book = new KeptBook();
  replaceBook(book, bids, asks);
  return book;
};

const sidesOf = ({ bids, asks }: Book): Book => ({ bids, asks });

/** Few prices, so that changes often meet a level that is there. */
const anyLevel = fc.record({
  price: fc.integer({ min: 1, max: 12 }).map((step) => priceFromMicro(step * 10_000)),
  size: fc.integer({ min: 0, max: 3 }).map((size) => sharesFromMicro(size * 1_000_000)),
});
const anyChange = fc.record({ side: fc.constantFrom<Side>('buy', 'sell'), level: anyLevel });

/** The slow and obvious book: a map from price to size per side, sorted whenever it is looked at. */
function plainBook(changes: readonly { side: Side; level: Level }[]): Book {
  const sizes = { buy: new Map<number, Level>(), sell: new Map<number, Level>() };
  for (const { side, level } of changes) sizes[side].set(level.price, level);
  const resting = (side: Side) => [...sizes[side].values()].filter(({ size }) => size > 0);
  return {
    bids: resting('buy').sort((a, b) => b.price - a.price),
    asks: resting('sell').sort((a, b) => a.price - b.price),
  };
}

describe('a book', () => {
  it('starts empty', () => {
    const book = new KeptBook();
    expect([bestBid(book), bestAsk(book), isCrossed(book)]).toEqual([null, null, false]);
  });

  it('sorts a snapshot best first, leaves out empty levels and lets the later of two at one price hold', () => {
    const book = bookOf([at(0.4, 1), at(0.42, 2), at(0.41, 0)], [at(0.5, 1), at(0.45, 3), at(0.5, 7)]);
    expect(sidesOf(book)).toEqual({ bids: [at(0.42, 2), at(0.4, 1)], asks: [at(0.45, 3), at(0.5, 7)] });
  });

  it('replaces everything it held', () => {
    const book = bookOf([at(0.4, 1)], [at(0.6, 1)]);
    replaceBook(book, [], [at(0.7, 2)]);
    expect(sidesOf(book)).toEqual({ bids: [], asks: [at(0.7, 2)] });
  });

  it('leaves the snapshot it was given alone', () => {
    const snapshot = [at(0.4, 1)];
    const book = bookOf(snapshot, []);
    applyLevelChange(book, 'buy', at(0.4, 0).price, sharesFromMicro(9));
    expect(snapshot).toEqual([at(0.4, 1)]);
  });

  it('follows any run of level changes like a plain map from price to size', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 60 }), (changes) => {
        const book = new KeptBook();
        for (const { side, level } of changes) applyLevelChange(book, side, level.price, level.size);
        expect(sidesOf(book)).toEqual(plainBook(changes));
      }),
    );
  });

  it('taken from a snapshot equals the same levels applied one by one', () => {
    fc.assert(
      fc.property(fc.array(anyLevel), fc.array(anyLevel), (bids, asks) => {
        const changes = [
          ...bids.map((level) => ({ side: 'buy' as const, level })),
          ...asks.map((level) => ({ side: 'sell' as const, level })),
        ];
        expect(sidesOf(bookOf(bids, asks))).toEqual(plainBook(changes));
      }),
    );
  });
});

describe('a book that is followed', () => {
  const anyStep = fc.oneof(
    anyChange.map(
      ({ side, level: { price, size } }) =>
        (book: KeptBook) =>
          applyLevelChange(book, side, price, size),
    ),
    fc.tuple(fc.array(anyLevel), fc.array(anyLevel)).map(
      ([bids, asks]) =>
        (book: KeptBook) =>
          replaceBook(book, bids, asks),
    ),
    fc.tuple(anyLevel, anyLevel).map(
      ([bid, ask]) =>
        (book: KeptBook) =>
          void dropBeyondBest(book, bid.price, ask.price),
    ),
  );

  it('is the same for a listener of its changes, which hears nothing of what stays as it is', () => {
    fc.assert(
      fc.property(fc.array(anyStep), (steps) => {
        const book = new KeptBook();
        const followed = new KeptBook();
        let reported = 0;
        book.follower = {
          changed: (side, price, size) => {
            const before = sidesOf(followed);
            applyLevelChange(followed, side, price, size);
            expect(sidesOf(followed)).not.toEqual(before);
            reported += 1;
          },
          replaced: ({ bids, asks }) => replaceBook(followed, bids, asks),
        };
        for (const step of steps) {
          step(book);
          expect(sidesOf(followed)).toEqual(sidesOf(book));
        }
        const reportedBefore = reported;
        for (const { price, size } of book.bids) applyLevelChange(book, 'buy', price, size);
        expect(reported).toBe(reportedBefore);
      }),
    );
  });
});

describe('a crossed book', () => {
  it.each([
    { bid: 0.49, ask: 0.5, crossed: false },
    { bid: 0.5, ask: 0.5, crossed: true },
    { bid: 0.51, ask: 0.5, crossed: true },
  ])('bid $bid, ask $ask: $crossed', ({ bid, ask, crossed }) => {
    expect(isCrossed(bookOf([at(bid, 1)], [at(ask, 1)]))).toBe(crossed);
  });

  it('needs both sides', () => {
    expect(isCrossed(bookOf([at(0.9, 1)], []))).toBe(false);
    expect(isCrossed(bookOf([], [at(0.1, 1)]))).toBe(false);
  });
});

describe('levels beyond the stated best', () => {
  const bids = [at(0.42, 1), at(0.41, 1), at(0.4, 1)];
  const asks = [at(0.45, 1), at(0.46, 1), at(0.47, 1)];
  const price = (value: number) => at(value, 0).price;

  it.each([
    { name: 'agreeing', bid: 0.42, ask: 0.45, left: [3, 3], agrees: true },
    { name: 'worse on both sides', bid: 0.41, ask: 0.47, left: [2, 1], agrees: true },
    { name: 'a stated bid we lack', bid: 0.43, ask: 0.45, left: [3, 3], agrees: false },
    { name: 'a stated ask we lack', bid: 0.42, ask: 0.44, left: [3, 3], agrees: false },
    { name: 'a stated price between levels', bid: 0.415, ask: 0.45, left: [2, 3], agrees: false },
    { name: 'worse than all we have', bid: 0.39, ask: 0.45, left: [0, 3], agrees: false },
    { name: 'both sides stated empty', bid: 0, ask: 1, left: [0, 0], agrees: true },
    { name: 'nothing stated', bid: null, ask: null, left: [3, 3], agrees: true },
  ])('$name', ({ bid, ask, left, agrees }) => {
    const book = bookOf(bids, asks);
    const answer = dropBeyondBest(book, bid === null ? null : price(bid), ask === null ? null : price(ask));
    expect(answer).toBe(agrees);
    expect([book.bids.length, book.asks.length]).toEqual(left);
    expect(book.bids).toEqual(bids.slice(3 - book.bids.length));
    expect(book.asks).toEqual(asks.slice(3 - book.asks.length));
  });

  it('an empty book agrees only with an empty one', () => {
    expect(dropBeyondBest(new KeptBook(), price(0), price(1))).toBe(true);
    expect(dropBeyondBest(new KeptBook(), price(0.4), null)).toBe(false);
    expect(dropBeyondBest(new KeptBook(), null, price(0.6))).toBe(false);
  });
});
