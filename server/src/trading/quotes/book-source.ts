import type { Feed } from '@dutchbook/contract/opportunities.ts';
import type { Book } from '@dutchbook/engine/book/book.ts';
import type { Instant } from '@dutchbook/units/instant.ts';

/**
 * `ageMs`: since the book was last known to be right. A healthy stream vouches for its books at every moment.
 * `venueTimestamp`: when it last changed, by the venue.
 */
export type HeldBook = { book: Book; feed: Exclude<Feed, 'none'>; ageMs: number; venueTimestamp: Instant };

/** Where books come from: the venue's stream, or polling when ENABLE_WEBSOCKET is off. */
export type BookSource = {
  add: (tokenIds: readonly string[]) => void;
  remove: (tokenIds: readonly string[]) => void;
  held: (tokenId: string) => HeldBook | undefined;
  /** Whether having no book means that there is none, and not that none has come yet. */
  hasAnswered: (tokenId: string) => boolean;
  health: () => { sockets: number; connected: number; tokens: number; staleTokens: number };
  stop: () => Promise<void>;
};

export type BookEvents = {
  /** Tokens whose book, or the trust in it, has changed: once per group of frames. */
  onBooks: (tokenIds: readonly string[]) => void;
};
