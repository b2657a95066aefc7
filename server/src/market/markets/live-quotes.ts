import type { Feed } from '@dutchbook/contract/opportunities.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { PositionQuote } from '@dutchbook/engine/opportunity/value.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';

/** A position's quote together with how far it can be trusted. */
export type LiveQuote = PositionQuote & { feed: Feed; bookAgeMs: number | null };

export type Quotes = {
  /** The feed's current quotes, in the order asked, without I/O. */
  current: (positions: readonly Position[]) => LiveQuote[];
  /**
   * Fresh from the venue over REST: markets and books, for trading unless said. Who only asks is answered together with
   * all calls that ask for it at that time. Throws VenueUnavailable.
   */
  fresh: (positions: readonly Position[], priority?: ReadPriority) => Promise<LiveQuote[]>;
};
