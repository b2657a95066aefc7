import { BookRecorder } from '@dutchbook/recordings/book-recorder.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { TokenBooks } from '../prices/quotes/quotes.ts';
import type { Clock } from '../runtime.ts';

/** The whole book of a token that does not change: whoever begins to read finds it within this time before. */
export const QUIET_ANCHOR_MS = 300_000;
const ANCHORS_AT_ONCE = 200;

/** Turns the books of the feed into records, market by market. */
export type NotedBooks = {
  /** Of these tokens something has changed. */
  note: (tokenIds: readonly string[]) => void;
  /** Some of those that have not been told whole for long. */
  noteQuiet: () => void;
  gap: BookRecorder['gap'];
  count: () => number;
};

export function noteBooks(clock: Clock, tokens: TokenBooks, onRecord: (record: Recorded) => void): NotedBooks {
  const books = new BookRecorder(onRecord);
  const otherOf = (tokenId: string) => tokens.other(tokenId) ?? null;
  const noteOne = (tokenId: string, at: Instant, isWhole: boolean) => {
    const held = tokens.held(tokenId);
    if (held === undefined) {
      books.end(tokenId, at);
      return;
    }
    const { book, feed: trust, venueTimestamp: venueAt } = held;
    books.note({ tokenId, partner: otherOf(tokenId), book, trust, at, venueAt }, isWhole);
  };
  /**
   * With the other outcome, which may be recorded as the mirror of this one and change with it; the one of lower id first, so that
   * it is always the same of the two.
   */
  const noteMarket = (tokenId: string, at: Instant, isWhole: boolean) => {
    const other = otherOf(tokenId);
    if (other !== null && other < tokenId) noteOne(other, at, isWhole);
    noteOne(tokenId, at, isWhole);
    if (other !== null && other > tokenId) noteOne(other, at, isWhole);
    return other;
  };

  return {
    note: (tokenIds) => {
      const at = clock.now();
      const noted = new Set<string>();
      for (const tokenId of tokenIds) {
        if (noted.has(tokenId)) continue;
        const other = noteMarket(tokenId, at, false);
        if (other !== null) noted.add(other);
      }
    },
    noteQuiet: () => {
      const at = clock.now();
      let left = ANCHORS_AT_ONCE;
      for (const tokenId of tokens.ids()) {
        const toldAt = books.anchoredAt(tokenId);
        const isDue = toldAt === undefined ? tokens.held(tokenId) !== undefined : at - toldAt >= QUIET_ANCHOR_MS;
        if (!isDue) continue;
        noteMarket(tokenId, at, true);
        left -= 1;
        if (left === 0) return;
      }
    },
    gap: (at, until, reason) => books.gap(at, until, reason),
    count: () => books.tokens,
  };
}
