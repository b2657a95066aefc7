/**
 * Records of another recording as they can lie beside those of the recorder: a reader that wants the books of a moment finds them within
 * the time in which the recorder tells them too, and where they end nothing is known any more. A gap is one of these tokens alone.
 */
import { RecordedBooks } from '@dutchbook/recordings/follow-books.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { QUIET_ANCHOR_MS } from './noted-books.ts';

/** What cannot be imported; the message says why. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

const LOOK_EVERY_MS = 60_000;
/** The recorder tells every book more often than this: who is silent for longer was not recording. */
const SILENCE_MS = 2 * QUIET_ANCHOR_MS;

export class ImportedBooks {
  #books = new RecordedBooks();
  /** When each token was last recorded whole, and which other it mirrors. */
  readonly #anchors = new Map<string, { at: number; of: string | null }>();
  #last: Instant | null = null;
  #lookAt = 0;

  /** @throws ImportRefused */
  *follow(record: Recorded): Generator<Recorded> {
    if (this.#last !== null && record.at < this.#last)
      throw new ImportRefused('Its records are not in the order in which they arrived.');
    yield* this.#pass(record.at);
    this.#last = record.at;
    if (record.kind === 'gap') {
      yield* this.end();
      return;
    }
    // What changes a book that was never recorded whole.
    if (this.#books.apply(record).length === 0) return;
    const { tokenId } = record;
    if (record.kind === 'book') this.#anchors.set(tokenId, { at: record.at, of: null });
    if (record.kind === 'mirror') this.#anchors.set(tokenId, { at: record.at, of: record.of });
    if (record.kind === 'trust' && record.trust === 'none') this.#anchors.delete(tokenId);
    yield record;
  }

  /** Nothing is known any more from the last record on. */
  *end(): Generator<Recorded> {
    const at = this.#last;
    if (at !== null)
      for (const tokenId of this.#anchors.keys()) yield { kind: 'trust', tokenId, at, venueAt: null, trust: 'none' };
    this.#anchors.clear();
    this.#books = new RecordedBooks();
  }

  *#pass(until: Instant): Generator<Recorded> {
    if (this.#last === null || until - this.#last > SILENCE_MS) {
      yield* this.end();
      this.#lookAt = until + LOOK_EVERY_MS;
    }
    for (; this.#lookAt <= until; this.#lookAt += LOOK_EVERY_MS) yield* this.#anchor(instantFromMs(this.#lookAt));
  }

  *#anchor(at: Instant): Generator<Recorded> {
    for (const [tokenId, anchor] of this.#anchors) {
      if (at - anchor.at < QUIET_ANCHOR_MS - LOOK_EVERY_MS) continue;
      anchor.at = at;
      const book = this.#books.book(tokenId);
      if (anchor.of !== null) yield { kind: 'mirror', tokenId, at, venueAt: null, of: anchor.of };
      else if (book !== undefined) yield { kind: 'book', tokenId, at, venueAt: null, bids: book.bids, asks: book.asks };
      yield { kind: 'trust', tokenId, at, venueAt: null, trust: this.#books.trust(tokenId) };
    }
  }
}
