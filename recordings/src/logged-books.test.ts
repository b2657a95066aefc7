import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromMicro } from '@dutchbook/units/price.ts';
import { sharesFromMicro } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BookLog, type LoggedBook, sharedNumbers } from './book-log.ts';
import { type FollowedBook, setLevel } from './follow-books.ts';
import { LoggedBooks } from './logged-books.ts';
import type { LevelChange, RecordedTrust } from './record.ts';
import { bookChange, emptyBook, TOKENS } from './testing.fixture.ts';

const [YES, NO] = TOKENS;
const AT = instantFromMs(1_800_000_000_000);
const bid = (micro: number, shares: number): LevelChange => ({
  ...{ side: 'buy', price: priceFromMicro(micro), size: sharesFromMicro(shares * 1_000_000) },
});

/** Books that are written on one end, and read on the other. */
function logged(numberCount: number) {
  const numbers = sharedNumbers(numberCount);
  const log = new BookLog(numbers);
  const read = new LoggedBooks(numbers, 0);
  const books = new Map<LoggedBook, FollowedBook>();
  const moments: { at: number; reported: [tokenId: string, trust: RecordedTrust][] }[] = [];
  const bookOf = (book: LoggedBook) => books.get(book) ?? expect.fail('it is followed');
  return {
    log,
    read,
    moments,
    bookOf,
    follow: (tokenId: string) => {
      const book = log.follow();
      books.set(book, emptyBook());
      read.name({ book: book.number, tokenId, partner: null });
      book.replaced(emptyBook());
      return book;
    },
    change: (book: LoggedBook, change: LevelChange) => {
      setLevel(bookOf(book), change);
      book.changed(change.side, change.price, change.size);
    },
    replace: (book: LoggedBook, by: FollowedBook) => {
      Object.assign(bookOf(book), structuredClone(by));
      book.replaced(by);
    },
    tell: (reported: readonly LoggedBook[], trust: RecordedTrust = 'live') => {
      log.moment(AT, reported.length);
      for (const book of reported) book.tell(trust, AT);
      log.endInstant();
    },
    readOn: () => {
      read.read(log.place, (at, reported) => {
        moments.push({ at, reported: reported.map(({ tokenId, trust }) => [tokenId, trust]) });
      });
      log.free(read.place);
    },
  };
}

describe('books that are written as numbers', () => {
  it('are the same at the other end, round and round, and so is what has changed in them', () => {
    const whole = fc.array(bookChange, { maxLength: 4 }).map((changes) => {
      const book = emptyBook();
      for (const change of changes) setLevel(book, change);
      return book;
    });
    const step = fc.record({ first: fc.boolean(), change: bookChange, whole: fc.option(whole, { freq: 4 }) });
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 20 }), (rounds) => {
        const { read, follow, change, replace, tell, readOn, bookOf } = logged(128);
        const both = [follow(YES), follow(NO)];
        tell(both);
        readOn();
        for (const tokenId of [YES, NO]) expect(read.token(tokenId)?.takeChanges()).toBeNull();
        const changed = [emptyBook(), emptyBook()];
        const expectSame = (book: LoggedBook, place: number) => {
          const token = read.token([YES, NO][place] ?? '') ?? expect.fail('it is there');
          const { bids, asks } = token.book;
          expect({ bids, asks }).toEqual(bookOf(book));
          const changes = token.takeChanges() ?? expect.fail('these are few');
          expect(new Set(changes.map(({ side, price }) => `${side} ${price}`)).size).toBe(changes.length);
          for (const one of changes) setLevel(changed[place] ?? emptyBook(), one);
          expect(changed[place]).toEqual({ bids, asks });
        };
        for (const steps of rounds) {
          for (const { first, change: one, whole: all } of steps) {
            const book = both[first ? 0 : 1] ?? expect.fail('there are two');
            if (all === null) change(book, one);
            else replace(book, all);
          }
          tell(both);
          readOn();
          both.forEach(expectSame);
        }
      }),
    );
  });

  it('say which were written, when and how far they are trusted', () => {
    const { follow, tell, readOn, moments } = logged(64);
    const [yes, no] = [follow(YES), follow(NO)];
    tell([yes]);
    tell([no, yes], 'stale');
    readOn();
    expect(moments).toEqual([
      { at: AT, reported: [[YES, 'live']] },
      {
        at: AT,
        reported: [
          [NO, 'stale'],
          [YES, 'stale'],
        ],
      },
    ]);
  });

  it('say that it is not known what has changed where that is too much to tell', () => {
    const { follow, replace, tell, readOn, read } = logged(1024);
    const book = follow(YES);
    const levels = Array.from({ length: 100 }, (_, place) => bid(1000 * (100 - place), 1));
    tell([book]);
    readOn();
    read.token(YES)?.takeChanges();
    replace(book, { bids: levels, asks: [] });
    readOn();
    expect(read.token(YES)?.takeChanges()).toHaveLength(100);
    replace(book, { bids: levels, asks: [] });
    readOn();
    expect(read.token(YES)?.takeChanges()).toEqual([]);
    replace(book, { bids: [], asks: levels });
    readOn();
    expect(read.token(YES)?.takeChanges()).toBeNull();
  });

  it('are others once another object has become the book of a token, and gone once they are not followed', () => {
    const { log, follow, change, tell, readOn, read } = logged(128);
    const first = follow(YES);
    change(first, bid(400_000, 1));
    tell([first]);
    readOn();
    const before = read.token(YES)?.book;
    const second = follow(YES);
    change(second, bid(410_000, 1));
    readOn();
    expect(read.token(YES)?.book).toBe(before);
    tell([second]);
    first.leave();
    change(first, bid(400_000, 2));
    readOn();
    expect(read.token(YES)?.book.bids).toMatchObject([{ price: 410_000 }]);
    log.moment(AT, 1);
    second.end();
    log.endInstant();
    readOn();
    expect(read.token(YES)).toBeUndefined();
  });

  it('are lost from when there is no room, all of one moment, and written whole again after that', () => {
    const { log, read, follow, change, tell, readOn, moments } = logged(32);
    const yes = follow(YES);
    for (const shares of [1, 2]) {
      change(yes, bid(400_000, shares));
      tell([yes]);
    }
    for (let left = 6; left > 0; left -= 1) change(yes, bid(400_000, 2 + left));
    expect(log.isLost).toBe(false);
    tell([yes, yes]);
    expect(log.isLost).toBe(true);
    expect(yes.isFollowedIn(log)).toBe(false);
    change(yes, bid(400_000, 9));
    readOn();
    expect(moments).toHaveLength(2);
    expect(read.token(YES)?.book.bids).toMatchObject([{ size: 3_000_000 }]);
    read.forget();
    log.beginAnew(read.place);
    const again = follow(YES);
    change(again, bid(390_000, 1));
    tell([again]);
    readOn();
    expect(moments).toHaveLength(3);
    expect(read.token(YES)?.book.bids).toMatchObject([{ price: 390_000 }]);
  });
});
