import { instantFromMs } from '@dutchbook/units/instant.ts';
import { complement, priceFromMicro } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromMicro } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANCHOR_EVERY_MS, BookRecorder, type ShownBook } from './book-recorder.ts';
import { type FollowedBook, RecordedBooks } from './follow-books.ts';
import type { LevelChange, Recorded } from './record.ts';
import { bookChange, changed, emptyBook, TOKENS } from './testing.fixture.ts';

const [YES, NO, OTHER] = TOKENS;
const partnerOf = (tokenId: string) => (tokenId === YES ? NO : tokenId === NO ? YES : null);
const mirrored = ({ price, size }: FollowedBook['bids'][number]) => ({ price: complement(price), size });
const mirrorOf = ({ bids, asks }: FollowedBook): FollowedBook => ({
  bids: asks.map(mirrored),
  asks: bids.map(mirrored),
});
const level = (cents: number, shares: number) => ({
  price: priceFromMicro(cents * 10_000),
  size: sharesFromMicro(shares * 1_000_000),
});

function changesOf(before: FollowedBook, after: FollowedBook): LevelChange[] {
  const sidesOf = ({ bids, asks }: FollowedBook) => [['buy', bids] as const, ['sell', asks] as const];
  const levels = sidesOf(after).flatMap(([side, some]) => some.map((one) => ({ side, ...one })));
  const isIn = (some: readonly LevelChange[], one: LevelChange, isSame: (other: LevelChange) => boolean) =>
    some.some((other) => other.side === one.side && other.price === one.price && isSame(other));
  const old = sidesOf(before).flatMap(([side, some]) => some.map((one) => ({ side, ...one })));
  return [
    ...levels.filter((one) => !isIn(old, one, ({ size }) => size === one.size)),
    ...old.filter((one) => !isIn(levels, one, () => true)).map((one) => ({ ...one, size: SHARES_ZERO })),
  ];
}

function recording() {
  const records: Recorded[] = [];
  const recorder = new BookRecorder((record) => void records.push(structuredClone(record)));
  const shown = new Map<string, FollowedBook>();
  /** One object of each token, as feeds have them. */
  const note = (tokenId: string, now: FollowedBook, atMs = 0, given: Partial<ShownBook> = {}) => {
    const book = shown.get(tokenId) ?? emptyBook();
    shown.set(tokenId, book);
    const changes = changesOf(book, now);
    Object.assign(book, structuredClone(now));
    recorder.note({
      ...{ tokenId, partner: partnerOf(tokenId), book, changes, trust: 'live', at: instantFromMs(atMs), venueAt: null },
      ...given,
    });
  };
  return { records, recorder, note, kinds: () => records.splice(0).map(({ kind }) => kind) };
}

describe('the recorder of books', () => {
  it('is followed to the same books, whatever changes and whether an outcome mirrors the other or not', () => {
    const step = fc.record({ tokenId: fc.constantFrom(...TOKENS), change: bookChange, mirrors: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { records, note } = recording();
        const books = new Map<string, FollowedBook>(TOKENS.map((tokenId) => [tokenId, emptyBook()]));
        const followed = new RecordedBooks();
        for (const [place, { tokenId, change, mirrors }] of steps.entries()) {
          const book = changed(books.get(tokenId) ?? emptyBook(), change);
          books.set(tokenId, book);
          const other = partnerOf(tokenId);
          if (mirrors && other !== null) books.set(other, mirrorOf(book));
          // As the recorder of the server does: both of a market, in one order.
          for (const each of [tokenId, other].filter((id) => id !== null).toSorted())
            note(each, books.get(each) ?? emptyBook(), place * 7000);
          for (const record of records.splice(0)) followed.apply(record);
          for (const each of [tokenId, other].filter((id) => id !== null)) {
            expect(followed.book(each)).toEqual(books.get(each));
            expect(followed.trust(each)).toBe('live');
          }
        }
      }),
    );
  });

  it('tells a change by itself, the whole book once a minute, and the trust when it changes', () => {
    const { note, records, kinds } = recording();
    note(OTHER, { bids: [level(40, 5)], asks: [level(60, 5)] });
    expect(kinds()).toEqual(['book', 'trust']);
    note(OTHER, { bids: [level(41, 2), level(40, 5)], asks: [] }, 100);
    expect(records).toMatchObject([
      {
        kind: 'changes',
        changes: [
          { side: 'buy', ...level(41, 2) },
          { side: 'sell', ...level(60, 0) },
        ],
      },
    ]);
    kinds();
    note(OTHER, { bids: [level(41, 2), level(40, 5)], asks: [] }, 200);
    expect(kinds()).toEqual([]);
    note(OTHER, { bids: [level(41, 2), level(40, 5)], asks: [] }, 300, { trust: 'stale' });
    expect(kinds()).toEqual(['trust']);
    note(OTHER, { bids: [level(41, 3), level(40, 5)], asks: [] }, ANCHOR_EVERY_MS);
    expect(kinds()).toEqual(['book', 'trust']);
  });

  it('tells once that an outcome mirrors the other, and nothing of it while that goes on', () => {
    const { note, kinds } = recording();
    const book: FollowedBook = { bids: [level(40, 5)], asks: [level(60, 5)] };
    note(YES, book);
    note(NO, mirrorOf(book));
    expect(kinds()).toEqual(['book', 'trust', 'mirror', 'trust']);
    const next: FollowedBook = { bids: [level(40, 6)], asks: [level(60, 5)] };
    note(YES, next, 10);
    note(NO, mirrorOf(next), 10);
    expect(kinds()).toEqual(['changes']);
  });

  it('tells the whole book where it is not known what has changed, and where another object has become the book', () => {
    const { note, kinds } = recording();
    const book: FollowedBook = { bids: [level(40, 5)], asks: [level(60, 5)] };
    note(OTHER, book);
    kinds();
    note(OTHER, book, 10);
    expect(kinds()).toEqual([]);
    note(OTHER, book, 20, { changes: null });
    expect(kinds()).toEqual(['book', 'trust']);
    note(OTHER, book, 30, { book: structuredClone(book), changes: [] });
    expect(kinds()).toEqual(['book', 'trust']);
  });

  it('tells an outcome by itself from when it mirrors the other no more until its next whole book', () => {
    const { note, kinds } = recording();
    const book: FollowedBook = { bids: [level(40, 5)], asks: [level(60, 5)] };
    const next: FollowedBook = { bids: [level(40, 6)], asks: [level(60, 5)] };
    note(YES, book);
    note(NO, mirrorOf(book));
    note(NO, mirrorOf(book), 10, { changes: null });
    expect(kinds()).toEqual(['book', 'trust', 'mirror', 'trust', 'mirror', 'trust']);
    note(YES, next, 20);
    note(NO, mirrorOf(book), 20);
    expect(kinds()).toEqual(['changes', 'book', 'trust']);
    note(YES, next, 30);
    note(NO, mirrorOf(next), 30);
    note(YES, book, 40);
    note(NO, mirrorOf(book), 40);
    expect(kinds()).toEqual(['changes', 'changes', 'changes']);
    note(YES, book, ANCHOR_EVERY_MS + 20);
    note(NO, mirrorOf(book), ANCHOR_EVERY_MS + 20);
    expect(kinds()).toEqual(['book', 'trust', 'mirror', 'trust']);
  });

  it('compares with all that the other outcome has become meanwhile', () => {
    const { note, kinds } = recording();
    const book: FollowedBook = { bids: [level(40, 5)], asks: [level(60, 5)] };
    const next: FollowedBook = { bids: [level(40, 6)], asks: [level(60, 5)] };
    note(YES, book);
    note(NO, mirrorOf(book));
    note(YES, { bids: [level(41, 1), ...book.bids], asks: book.asks }, 10);
    kinds();
    note(YES, { bids: [level(41, 1), ...next.bids], asks: book.asks }, 20);
    note(NO, mirrorOf(next), 20);
    expect(kinds()).toEqual(['changes', 'book', 'trust']);
  });

  it('begins anew after a gap, and knows nothing of a book that is not followed', () => {
    const { note, recorder, records, kinds } = recording();
    const followed = new RecordedBooks();
    const book: FollowedBook = { bids: [level(40, 5)], asks: [level(60, 5)] };
    note(OTHER, book);
    recorder.gap(instantFromMs(10), instantFromMs(20), 'the disk is full');
    for (const record of records) followed.apply(record);
    expect(followed.book(OTHER)).toBeUndefined();
    kinds();
    note(OTHER, book, 20);
    expect(kinds()).toEqual(['book', 'trust']);
    recorder.end(OTHER, instantFromMs(30));
    recorder.end(OTHER, instantFromMs(31));
    expect(records).toMatchObject([{ kind: 'trust', trust: 'none' }]);
    expect(recorder.tokens).toBe(0);
  });
});
