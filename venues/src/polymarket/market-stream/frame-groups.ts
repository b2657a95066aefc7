import type { Instant } from '@dutchbook/units/instant.ts';
import type { FeedTrust, MarketStreamEvents } from '../../venue.ts';
import { type TokenFeed, updateTrust } from './token-feed.ts';

/** Lost trust first. */
const TRUST_TOLD: readonly FeedTrust[] = ['stale', 'live', 'verified'];

/** In characters, some five milliseconds: behind a tick that took long there are many megabytes, and other things have their time between. */
const READ_PER_TICK = 60_000;
/** Characters of unread frames beyond which a socket is not read from. */
const WAITING_MAX = 120_000;

/** A text of a socket, and when it arrived: by the clock, and on one that only runs, in milliseconds. */
export type ArrivedText = { text: string; at: Instant; atMs: number; reader: TextReader };

/** `read` takes over what the text says, with `begin` and `touch`; `hold` has its socket bring nothing more, or go on. */
export type TextReader = { read: (arrived: ArrivedText) => void; hold: (isHeld: boolean) => void };

/**
 * Decides when what all sockets of a stream have brought is taken over and shown. Texts wait for the end of the tick of the event
 * loop that brings them and are then read together, in the order in which they came, so that a reader of books at any other time finds
 * none among the trusted ones that has changed and was not published, nor one in the middle of an event. What is too much for one tick
 * goes on in the next, behind the end of an event.
 *
 * Frames in a row that share a timestamp are one event of the venue: nothing of it is announced until a frame of another time
 * follows, or none. A book that does not show its stated best prices by then is not announced at all: in a burst every frame
 * already states the final ones, and the missing part usually follows. When it does not, the token is lost.
 */
export class FrameGroups {
  readonly #events: Pick<MarketStreamEvents, 'onBooks' | 'onTrust'>;
  readonly #settleMs: number;
  readonly #onLost: (feed: TokenFeed) => void;
  #arrived: ArrivedText[] = [];
  /** How many waiting frames have been read, and the characters of the rest. */
  #taken = 0;
  #waiting = 0;
  readonly #held = new Set<TextReader>();
  /** More has arrived than is read in this tick. */
  #isBehind = false;
  #isReading = false;
  #time: Instant | null = null;
  #touched: TokenFeed[] = [];
  #isReadDue = false;
  #unsettled = new Set<TokenFeed>();
  #unsettledBefore = new Set<TokenFeed>();
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

  /** A socket has brought a text. */
  arrive(arrived: ArrivedText): void {
    this.#arrived.push(arrived);
    this.#waiting += arrived.text.length;
    if (this.#waiting > WAITING_MAX && !this.#held.has(arrived.reader)) {
      this.#held.add(arrived.reader);
      arrived.reader.hold(true);
    }
    this.#readSoon();
  }

  /**
   * Takes over what has arrived, where that has not been more than fits into this tick, and publishes it. Nothing while that is under way: a
   * caller then has seen a part.
   */
  read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      if (!this.#isBehind) this.#readSlice();
      this.end();
    } finally {
      this.#isReading = false;
    }
    this.#isBehind = this.#arrived.length > 0;
    if (this.#touched.length > 0 || this.#isBehind) this.#readSoon();
  }

  #readSlice(): void {
    let read = 0;
    for (let next = this.#arrived[this.#taken]; next !== undefined; next = this.#arrived[this.#taken]) {
      if (read >= READ_PER_TICK && !(read < 2 * READ_PER_TICK && this.#isOfGroup(next))) {
        this.#letGo();
        return;
      }
      this.#taken += 1;
      this.#waiting -= next.text.length;
      read += next.text.length;
      next.reader.read(next);
    }
    this.#arrived = [];
    this.#taken = 0;
    for (const reader of this.#held) reader.hold(false);
    this.#held.clear();
  }

  /** Texts that were read: a stream that stays behind for minutes would hold hundreds of megabytes of them. */
  #letGo(): void {
    if (2 * this.#taken < this.#arrived.length) return;
    this.#arrived = this.#arrived.slice(this.#taken);
    this.#taken = 0;
  }

  #isOfGroup({ text }: ArrivedText): boolean {
    return this.#time !== null && text.includes(`"timestamp":"${this.#time}"`);
  }

  /** A frame of this time begins. */
  begin(time: Instant): void {
    if (time === this.#time) return;
    this.end();
    this.#time = time;
  }

  /** Ends the group: announces what is whole, and which tokens are trusted now. */
  end(): void {
    const group = this.#touched;
    if (group.length === 0 || this.#isClosed) return;
    this.#touched = [];
    const books: string[] = [];
    for (const feed of group) {
      feed.isInGroup = false;
      this.#judge(feed);
      if (feed.wasSeen && !feed.isBlank && !feed.isUnaccepted) books.push(feed.tokenId);
    }
    this.#announceTrust(group);
    if (books.length > 0) this.#events.onBooks(books);
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
    if (!this.#isReading) this.#readSoon();
  }

  /** The trust in books that have not changed may have. Those of an open group are left to its end. */
  restate(feeds: readonly TokenFeed[]): void {
    if (!this.#isClosed) this.#announceTrust(feeds.filter(({ isInGroup }) => !isInGroup));
  }

  /** Nothing is taken over or announced any more. */
  close(): void {
    this.#isClosed = true;
    this.#arrived = [];
    this.#taken = 0;
    clearTimeout(this.#timer);
  }

  #readSoon(): void {
    if (this.#isReadDue || this.#isClosed) return;
    this.#isReadDue = true;
    setImmediate(() => {
      this.#isReadDue = false;
      this.#isBehind = false;
      this.read();
    });
  }

  #announceTrust(feeds: readonly TokenFeed[]): void {
    const changed = feeds.filter(updateTrust);
    if (changed.length === 0) return;
    for (const trust of TRUST_TOLD) {
      const tokenIds = changed.filter(({ streamed }) => streamed.trust === trust).map(({ tokenId }) => tokenId);
      if (tokenIds.length > 0) this.#events.onTrust(tokenIds, trust);
    }
  }

  #judge(feed: TokenFeed): void {
    if (!feed.isUnaccepted) {
      feed.unsettledAt = null;
      return;
    }
    if (feed.isLost || feed.isBlank) return;
    feed.unsettledAt ??= feed.streamed.venueTimestamp;
    this.#unsettled.add(feed);
    this.#timer ??= setTimeout(() => this.#endWait(), this.#settleMs);
  }

  /** Each token waits for one to two rounds of the timer, which saves a timer for each. */
  #endWait(): void {
    this.#timer = undefined;
    for (const feed of this.#unsettledBefore) if (feed.isUnaccepted && !feed.isLost) this.#onLost(feed);
    this.#unsettledBefore = this.#unsettled;
    this.#unsettled = new Set();
    if (this.#unsettledBefore.size > 0) this.#timer = setTimeout(() => this.#endWait(), this.#settleMs);
  }
}
