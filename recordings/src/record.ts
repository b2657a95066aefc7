import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';

/** One price of a side, and how many shares rest at it. */
export type RecordedLevel = { price: Price; size: Shares };

export type RecordedSide = 'buy' | 'sell';

/** The new state of a level; size zero means that nothing rests there. */
export type LevelChange = RecordedLevel & { side: RecordedSide };

/** The trust in a book when it was recorded, as the product shows it. */
export const RECORDED_TRUSTS = ['verified', 'live', 'polled', 'stale', 'none'] as const;
export type RecordedTrust = (typeof RECORDED_TRUSTS)[number];

/** A record, in order of arrival. `at`: its time by the recorder's clock; `venueAt`: by the venue's, null where the venue gave none. */
export type Recorded =
  /** The whole book of a token, best level first; later changes apply to it. */
  | {
      kind: 'book';
      tokenId: TokenId;
      at: Instant;
      venueAt: Instant | null;
      bids: readonly RecordedLevel[];
      asks: readonly RecordedLevel[];
    }
  /** Levels that changed together, as in the venue's frames of one instant. */
  | { kind: 'changes'; tokenId: TokenId; at: Instant; venueAt: Instant | null; changes: readonly LevelChange[] }
  /** From this record until the token's next own book, its book mirrors the other outcome's at a dollar. */
  | { kind: 'mirror'; tokenId: TokenId; at: Instant; venueAt: null; of: string }
  | { kind: 'trust'; tokenId: TokenId; at: Instant; venueAt: null; trust: RecordedTrust }
  /** Nothing was recorded of any token from `at` to `until`; books after it begin with a whole book. */
  | { kind: 'gap'; at: Instant; venueAt: null; until: Instant; reason: string };
