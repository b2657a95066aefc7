import { BookRecorder } from '@dutchbook/recordings/book-recorder.ts';
import type { Recorded } from '@dutchbook/recordings/record.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { TokenBooks } from '../prices/quotes/quotes.ts';
import type { Clock } from '../runtime.ts';

/** The whole book of a token that does not change: whoever begins to read finds it within this time before. */
export const QUIET_ANCHOR_MS = 300_000;
const ANCHORS_AT_ONCE = 200;

/** Which token is the other outcome takes asking several feeds: what they said holds for so long. */
const MARKETS_HOLD_MS = 60_000;

/** Its tokens in the order of their ids, so that it is always the same of two that mirrors the other. */
type Market = { lower: string; higher: string | null };

/** Turns the books of the feed into records, market by market. */
export type NotedBooks = {
  /** Of these tokens something has changed. */
  note: (tokenIds: readonly string[]) => void;
  /** Some of those that have not been told whole for long, or were there before all was forgotten. */
  noteQuiet: () => void;
  /** What was told before is not known to whoever reads on from here. `gap`: nothing was recorded after that moment. */
  beginAnew: (gap: { behind: Instant; reason: string } | null) => void;
  count: () => number;
};

export function noteBooks(clock: Clock, tokens: TokenBooks, onRecord: (record: Recorded) => void): NotedBooks {
  let books = new BookRecorder(onRecord);
  /** The last first. */
  let untold: string[] = [];
  const markets = new Map<string, Market>();
  let forgetMarketsAt = 0;
  const noteOne = (tokenId: string, partner: string | null, at: Instant, isWhole: boolean) => {
    const held = tokens.held(tokenId);
    if (held === undefined) {
      books.end(tokenId, at);
      return;
    }
    const { book, feed: trust, venueTimestamp: venueAt } = held;
    books.note({ tokenId, partner, book, changes: book.changes?.take() ?? null, trust, at, venueAt }, isWhole);
  };
  const marketOf = (tokenId: string, at: Instant): Market => {
    if (at >= forgetMarketsAt) {
      markets.clear();
      forgetMarketsAt = at + MARKETS_HOLD_MS;
    }
    const known = markets.get(tokenId);
    if (known !== undefined) return known;
    const other = tokens.other(tokenId);
    const isLower = other == null || tokenId < other;
    const market = isLower ? { lower: tokenId, higher: other ?? null } : { lower: other, higher: tokenId };
    if (other !== undefined) markets.set(tokenId, market);
    return market;
  };
  /** Both outcomes: one may be recorded as the mirror of the other and change with it. @returns the other */
  const noteMarket = (tokenId: string, at: Instant, isWhole: boolean) => {
    const { lower, higher } = marketOf(tokenId, at);
    noteOne(lower, higher, at, isWhole);
    if (higher !== null) noteOne(higher, lower, at, isWhole);
    return lower === tokenId ? higher : lower;
  };

  const noteQuiet = () => {
    const at = clock.now();
    let left = ANCHORS_AT_ONCE;
    while (left > 0 && untold.length > 0) {
      const tokenId = untold.pop() ?? '';
      if (books.records(tokenId)) continue;
      noteMarket(tokenId, at, true);
      left -= 1;
    }
    if (left === 0) return;
    for (const tokenId of books.recordedUntil(instantFromMs(at - QUIET_ANCHOR_MS))) {
      noteMarket(tokenId, at, true);
      left -= 1;
      if (left === 0) return;
    }
  };

  return {
    note: (tokenIds) => {
      const at = clock.now();
      let other: string | null = null;
      for (const tokenId of tokenIds) {
        // Both outcomes of a market are mostly told one behind the other.
        if (tokenId !== other) other = noteMarket(tokenId, at, false);
      }
    },
    noteQuiet,
    beginAnew: (gap) => {
      const now = clock.now();
      books = new BookRecorder(onRecord);
      if (gap !== null) books.gap(instantFromMs(Math.min(gap.behind + 1, now)), now, gap.reason);
      untold = tokens.ids().toReversed();
      noteQuiet();
    },
    count: () => books.tokens,
  };
}
