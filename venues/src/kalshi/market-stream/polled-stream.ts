import { KeptBook, replaceBook } from '@dutchbook/engine/book/book.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import type {
  BookSnapshot,
  MarketStream,
  MarketStreamEvents,
  StreamedBook,
  StreamHealth,
  VenuePrices,
  VenueRuntime,
} from '../../venue.ts';
import { ofToken } from '../ids.ts';

type PolledParts = {
  pollEveryMs: number;
  prices: VenuePrices;
  runtime: VenueRuntime;
  events: MarketStreamEvents;
};

/** Polled books are trusted while none of this many reads has failed. */
const ROUNDS_TRUSTED = 3;

/** Without a key the venue opens no stream: books are read over and over instead, and are as old as a round of that. */
export class PolledMarketStream implements MarketStream {
  readonly #parts: PolledParts;
  readonly #books = new Map<TokenId, StreamedBook & { wasSeen: boolean }>();
  readonly #timer: NodeJS.Timeout;
  #isReading = false;
  #isClosed = false;
  #failures = 0;

  constructor(parts: PolledParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#read([...this.#books.keys()]), parts.pollEveryMs);
  }

  subscribe(tokenIds: readonly TokenId[]): void {
    const now = this.#parts.runtime.now();
    const added = tokenIds.filter((tokenId) => ofToken(tokenId) !== null && !this.#books.has(tokenId));
    for (const tokenId of added)
      this.#books.set(tokenId, {
        book: new KeptBook(),
        trust: 'stale',
        receivedAt: now,
        venueTimestamp: now,
        wasSeen: false,
      });
    if (added.length > 0) void this.#read(added);
  }

  unsubscribe(tokenIds: readonly TokenId[]): void {
    for (const tokenId of tokenIds) this.#books.delete(tokenId);
  }

  book(tokenId: TokenId): StreamedBook | undefined {
    const streamed = this.#books.get(tokenId);
    return streamed?.wasSeen ? streamed : undefined;
  }

  isConnected(): boolean {
    return this.#failures === 0;
  }

  health(): StreamHealth {
    const books = [...this.#books.values()];
    return {
      sockets: 0,
      connected: 0,
      sound: 0,
      readsFail: this.#failures > 1,
      tokens: books.length,
      staleTokens: books.filter(({ trust }) => trust === 'stale').length,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  async #read(tokenIds: readonly TokenId[]): Promise<void> {
    if (this.#isReading || tokenIds.length === 0) return;
    this.#isReading = true;
    try {
      const found = await this.#parts.prices.fetchBooks(tokenIds, 'following');
      this.#failures = 0;
      if (!this.#isClosed) this.#take(found);
    } catch (error) {
      this.#failures += 1;
      this.#parts.runtime.log.warn({ reason: String(error) }, 'kalshi books not polled');
      if (this.#failures >= ROUNDS_TRUSTED) this.#distrust();
    } finally {
      this.#isReading = false;
    }
  }

  #take(found: ReadonlyMap<TokenId, BookSnapshot>): void {
    const changed: TokenId[] = [];
    const trusted: TokenId[] = [];
    for (const [tokenId, { bids, asks, timestamp }] of found) {
      const streamed = this.#books.get(tokenId);
      if (streamed === undefined) continue;
      replaceBook(streamed.book, bids, asks);
      Object.assign(streamed, { receivedAt: timestamp, venueTimestamp: timestamp, wasSeen: true });
      if (streamed.trust === 'stale') trusted.push(tokenId);
      streamed.trust = 'live';
      changed.push(tokenId);
    }
    if (trusted.length > 0) this.#parts.events.onTrust(trusted, 'live');
    if (changed.length > 0) this.#parts.events.onBooks(changed);
  }

  #distrust(): void {
    const lost = [...this.#books].filter(([, { trust }]) => trust !== 'stale').map(([tokenId]) => tokenId);
    for (const tokenId of lost) {
      const streamed = this.#books.get(tokenId);
      if (streamed !== undefined) streamed.trust = 'stale';
    }
    if (lost.length > 0) this.#parts.events.onTrust(lost, 'stale');
  }
}
