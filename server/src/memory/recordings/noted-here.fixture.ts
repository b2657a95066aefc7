import type { KeptBook } from '@dutchbook/engine/book/book.ts';
import { BookLog, type LoggedBook, sharedNumbers } from '@dutchbook/recordings/book-log.ts';
import { type BookName, LoggedBooks } from '@dutchbook/recordings/logged-books.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { noteBooks } from './noted-books.ts';

const LOG_NUMBERS = 2 ** 20;

export type NotedHere = {
  follow: (book: KeptBook, name: Omit<BookName, 'book'>) => LoggedBook;
  /** That they have changed, as far as they have, at that moment; the venue's clock is the same. */
  tell: (at: Instant, books: readonly LoggedBook[]) => void;
};

/** Books that are published and recorded as the product does it, without a clock and in one thread. */
export function noteHere(onRecord: (record: Recorded) => void): NotedHere {
  const numbers = sharedNumbers(LOG_NUMBERS);
  const log = new BookLog(numbers);
  const read = new LoggedBooks(numbers, 0);
  const noted = noteBooks(read, onRecord);
  return {
    follow: (book, name) => {
      const logged = log.follow();
      read.name({ book: logged.number, ...name });
      book.follower = logged;
      logged.replaced(book);
      return logged;
    },
    tell: (at, books) => {
      log.moment(at, books.length);
      for (const book of books) book.tell('live', at);
      log.endInstant();
      read.read(log.place, noted.note);
      log.free(read.place);
    },
  };
}
