import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';

/** One price of a side, and how many shares rest at it. */
export type RecordedLevel = { price: Price; size: Shares };

export type RecordedSide = 'buy' | 'sell';

/** A level as it is from now on; a size of zero: nothing rests there any more. */
export type LevelChange = RecordedLevel & { side: RecordedSide };

/** How far a book could be trusted when it was recorded, as the product's own light shows it. */
export const RECORDED_TRUSTS = ['verified', 'live', 'polled', 'stale', 'none'] as const;
export type RecordedTrust = (typeof RECORDED_TRUSTS)[number];

/**
 * What is recorded, in the order in which it arrived. `at`: when, by the recorder's clock; `venueAt`: when, by the
 * venue's, null where it did not say.
 */
export type Recorded =
  /** The whole book of a token, best level first: from here on it can be followed. */
  | {
      kind: 'book';
      tokenId: TokenId;
      at: Instant;
      venueAt: Instant | null;
      bids: readonly RecordedLevel[];
      asks: readonly RecordedLevel[];
    }
  /** What has changed since: applied together, as the venue's frames of one moment were. */
  | { kind: 'changes'; tokenId: TokenId; at: Instant; venueAt: Instant | null; changes: readonly LevelChange[] }
  /** From here on the book is that of the other outcome of its market, mirrored at a dollar, until a record of its own. */
  | { kind: 'mirror'; tokenId: TokenId; at: Instant; venueAt: null; of: string }
  | { kind: 'trust'; tokenId: TokenId; at: Instant; venueAt: null; trust: RecordedTrust }
  /** From `at` until then nothing was recorded, of any token: books begin anew after it. */
  | { kind: 'gap'; at: Instant; venueAt: null; until: Instant; reason: string };
