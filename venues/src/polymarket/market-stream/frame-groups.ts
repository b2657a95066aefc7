import type { Instant } from '@dutchbook/units/instant.ts';
import type { FeedTrust, MarketStreamEvents } from '../../venue.ts';
import { type TokenFeed, updateTrust } from './token-feed.ts';

/** Bad news first. */
const TRUST_TOLD: readonly FeedTrust[] = ['stale', 'live', 'verified'];

/**
 * Decides when books are shown. Frames that share a timestamp are one event of the venue, so nothing is announced until
 * a frame of another time arrives, or until everything that was read from the socket has been handled. A book that does
 * not show its stated best prices by then is not announced at all: in a burst every frame already states the final ones,
 * and the missing part usually follows. When it does not, the token is lost.
 */
export class FrameGroups {
  readonly #events: Pick<MarketStreamEvents, 'onBooks' | 'onTrust'>;
  readonly #settleMs: number;
  readonly #onLost: (feed: TokenFeed) => void;
  #time: Instant | null = null;
  #touched: TokenFeed[] = [];
  #isDrainDue = false;
  #waiting = new Set<TokenFeed>();
  #waitedOnce = new Set<TokenFeed>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    events: Pick<MarketStreamEvents, 'onBooks' | 'onTrust'>,
    settleMs: number,
    onLost: (feed: TokenFeed) => void,
  ) {
    this.#events = events;
    this.#settleMs = settleMs;
    this.#onLost = onLost;
  }

  /** A frame of this time begins. */
  begin(time: Instant): void {
    if (time === this.#time) return;
    this.flush();
    this.#time = time;
  }

  /** The venue's time of the frame being read; null before the first. */
  get time(): Instant | null {
    return this.#time;
  }

  /** A token's book or trust may have changed. */
  touch(feed: TokenFeed): void {
    if (!feed.isInGroup) {
      feed.isInGroup = true;
      this.#touched.push(feed);
    }
    if (this.#isDrainDue) return;
    this.#isDrainDue = true;
    setImmediate(() => {
      this.#isDrainDue = false;
      this.flush();
    });
  }

  /** Ends the group: announces what is whole, and which tokens are trusted now. */
  flush(): void {
    const group = this.#touched;
    if (group.length === 0 || this.#isClosed) return;
    this.#touched = [];
    const books: string[] = [];
    for (const feed of group) {
      feed.isInGroup = false;
      this.#judge(feed);
      if (feed.wasSeen && !feed.isBlank && !feed.isUnsettled) books.push(feed.tokenId);
    }
    this.#announceTrust(group);
    if (books.length > 0) this.#events.onBooks(books);
  }

  /** The trust in books that have not changed may have. Those of an open group are left to its end. */
  restate(feeds: readonly TokenFeed[]): void {
    if (!this.#isClosed) this.#announceTrust(feeds.filter(({ isInGroup }) => !isInGroup));
  }

  /** Nothing is announced any more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #announceTrust(feeds: readonly TokenFeed[]): void {
    const changed = feeds.filter(updateTrust);
    for (const trust of TRUST_TOLD) {
      const tokenIds = changed.filter(({ streamed }) => streamed.trust === trust).map(({ tokenId }) => tokenId);
      if (tokenIds.length > 0) this.#events.onTrust(tokenIds, trust);
    }
  }

  #judge(feed: TokenFeed): void {
    if (!feed.isUnsettled) {
      feed.unsettledAt = null;
      return;
    }
    if (feed.isLost || feed.isBlank) return;
    feed.unsettledAt ??= feed.streamed.venueTimestamp;
    this.#waiting.add(feed);
    this.#timer ??= setTimeout(() => this.#endWait(), this.#settleMs);
  }

  /** Each token waits for one to two rounds of the timer, which saves a timer for each. */
  #endWait(): void {
    this.#timer = undefined;
    for (const feed of this.#waitedOnce) if (feed.isUnsettled && !feed.isLost) this.#onLost(feed);
    this.#waitedOnce = this.#waiting;
    this.#waiting = new Set();
    if (this.#waitedOnce.size > 0) this.#timer = setTimeout(() => this.#endWait(), this.#settleMs);
  }
}
