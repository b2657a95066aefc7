import { BookRecorder } from '@dutchbook/recordings/book-recorder.ts';
import type { LoggedBooks, LoggedInstant, ReadToken } from '@dutchbook/recordings/logged-books.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';

/** The whole book of a token that does not change: a new reader finds it within this time before. */
export const QUIET_ANCHOR_MS = 300_000;
const ANCHORS_AT_ONCE = 200;
const QUIET_MS = 1000;

/** Makes records of books, as far as they were read, market by market. */
export type NotedBooks = {
  note: LoggedInstant;
  /** Once a second some of those that have not been recorded whole for long, or were there before all was forgotten. */
  noteQuiet: (at: Instant) => void;
  /** A reader that begins here does not know what was published before. `gap`: nothing was recorded after that moment. */
  beginAnew: (at: Instant, gap: { behind: Instant; reason: string } | null) => void;
  count: () => number;
};

export function noteBooks(read: LoggedBooks, onRecord: (record: Recorded) => void): NotedBooks {
  let books = new BookRecorder(onRecord);
  /** The last first. */
  let unpublished: string[] = [];
  let quietAt = Number.NEGATIVE_INFINITY;
  const noteOne = (
    tokenId: TokenId,
    partner: string | null,
    venueAt: Instant | null,
    at: Instant,
    isWhole: boolean,
  ) => {
    const token = read.token(tokenId);
    if (token === undefined) {
      books.end(tokenId, at);
      return;
    }
    const { book, trust } = token;
    books.note({ tokenId, partner, book, changes: token.takeChanges(), trust, at, venueAt }, isWhole);
  };
  /** Both outcomes: one may be recorded as the mirror of the other and change with it. @returns the other */
  const noteMarket = ({ tokenId, partner, venueAt }: ReadToken, at: Instant, isWhole: boolean): string | null => {
    if (partner === null) {
      noteOne(tokenId, null, venueAt, at, isWhole);
      return null;
    }
    // What has changed in the other without being recorded has changed by now.
    const others = later(read.token(partner)?.venueAt ?? null, venueAt);
    if (tokenId < partner) noteOne(tokenId, partner, venueAt, at, isWhole);
    noteOne(partner, tokenId, others, at, isWhole);
    if (tokenId > partner) noteOne(tokenId, partner, venueAt, at, isWhole);
    return partner;
  };

  const noteQuiet = (at: Instant) => {
    quietAt = at;
    let left = ANCHORS_AT_ONCE;
    const noteWhole = (tokenId: TokenId) => {
      const token = read.token(tokenId);
      if (token !== undefined) noteMarket(token, at, true);
      left -= 1;
    };
    while (left > 0 && unpublished.length > 0) {
      const tokenId = unpublished.pop() ?? '';
      if (!books.records(tokenId)) noteWhole(tokenId);
    }
    if (left === 0) return;
    for (const tokenId of books.recordedUntil(instantFromMs(at - QUIET_ANCHOR_MS))) {
      noteWhole(tokenId);
      if (left === 0) return;
    }
  };

  return {
    note: (at, reported) => {
      let other: string | null = null;
      for (const token of reported) {
        // Both outcomes of a market are mostly recorded one after the other.
        if (token.tokenId !== other) other = noteMarket(token, at, false);
      }
    },
    noteQuiet: (at) => {
      if (at - quietAt >= QUIET_MS) noteQuiet(at);
    },
    beginAnew: (at, gap) => {
      books = new BookRecorder(onRecord);
      if (gap !== null) books.gap(instantFromMs(Math.min(gap.behind + 1, at)), at, gap.reason);
      unpublished = [...read.tokenIds()].reverse();
      noteQuiet(at);
    },
    count: () => books.tokens,
  };
}

function later(one: Instant | null, other: Instant | null): Instant | null {
  return one === null || (other !== null && other > one) ? other : one;
}
