import type { VenuePrices, VenueRuntime } from '../../venue.ts';
import { jitteredBackOffMs, type StreamConfig } from '../config.ts';
import { type TokenFeed, takeRestSnapshot } from './token-feed.ts';

/** Snapshots over REST that did not help, after which the whole connection is given up. */
const FAILED_RESYNCS_MAX = 3;

export type ResyncParts = {
  prices: VenuePrices;
  runtime: VenueRuntime;
  config: Pick<StreamConfig, 'resyncAfterMs' | 'backoffMinMs' | 'backoffMaxMs'>;
  /** These feeds have new books. */
  onSnapshots: (feeds: readonly TokenFeed[]) => void;
  /** Was found to be beyond help by REST. */
  onHopeless: (feed: TokenFeed) => void;
};

/** Reads fresh books over REST for tokens that lost their way, many in one call, until they have one. */
export class ResyncQueue {
  readonly #parts: ResyncParts;
  readonly #due = new Set<TokenFeed>();
  /** Tokens the venue had no book for, until they are asked for again. */
  readonly #absent = new Map<TokenFeed, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(parts: ResyncParts) {
    this.#parts = parts;
  }

  add(feed: TokenFeed): void {
    this.#forgetAbsent(feed);
    this.#due.add(feed);
    this.#arm(this.#parts.config.resyncAfterMs);
  }

  /** A token that is no longer wanted, or has its book by other means. */
  remove(feed: TokenFeed): void {
    this.#due.delete(feed);
    this.#forgetAbsent(feed);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const timer of this.#absent.values()) clearTimeout(timer);
  }

  #arm(delayMs: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#run();
    }, delayMs);
  }

  async #run(): Promise<void> {
    const feeds = [...this.#due];
    this.#due.clear();
    if (feeds.length === 0) return;
    const recorded = feeds.map((feed) => {
      this.#forgetAbsent(feed);
      const since: NonNullable<TokenFeed['sinceRequest']> = [];
      feed.sinceRequest = since;
      return since;
    });
    const askedAtMs = performance.now();
    try {
      const snapshots = await this.#parts.prices.fetchBooks(
        feeds.map(({ tokenId }) => tokenId),
        'following',
      );
      this.#failures = 0;
      const absent: TokenFeed[] = [];
      const present: TokenFeed[] = [];
      feeds.forEach((feed, index) => {
        // A book frame, a new connection or a new request has overtaken this answer.
        if (this.#isClosed || feed.sinceRequest !== recorded[index]) return;
        const snapshot = snapshots.get(feed.tokenId);
        if (snapshot) takeRestSnapshot(feed, snapshot, this.#parts.runtime.now(), askedAtMs);
        (snapshot ? present : absent).push(feed);
      });
      this.#parts.onSnapshots(present);
      for (const feed of present) if (feed.failedResyncs >= FAILED_RESYNCS_MAX) this.#parts.onHopeless(feed);
      this.#retryAbsent(absent);
    } catch (error) {
      this.#parts.runtime.log.warn({ reason: String(error), tokens: feeds.length }, 'fresh books not read');
      this.#retry(feeds.filter((feed, index) => feed.sinceRequest === recorded[index]));
    }
  }

  /** Retries absent tokens; those absent equally often wait equally long, so that they share one call. */
  #retryAbsent(feeds: readonly TokenFeed[]): void {
    const { backoffMinMs, backoffMaxMs } = this.#parts.config;
    const drawn = this.#parts.runtime.random();
    for (const feed of feeds) {
      feed.sinceRequest = null;
      const waitMs = jitteredBackOffMs(feed.absences++, () => drawn, backoffMinMs, backoffMaxMs);
      this.#absent.set(
        feed,
        setTimeout(() => this.add(feed), waitMs),
      );
    }
  }

  #forgetAbsent(feed: TokenFeed): void {
    clearTimeout(this.#absent.get(feed));
    this.#absent.delete(feed);
  }

  #retry(feeds: readonly TokenFeed[]): void {
    for (const feed of feeds) {
      feed.sinceRequest = null;
      this.#due.add(feed);
    }
    const { backoffMinMs, backoffMaxMs } = this.#parts.config;
    this.#arm(jitteredBackOffMs(this.#failures++, this.#parts.runtime.random, backoffMinMs, backoffMaxMs));
  }
}
