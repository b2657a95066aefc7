import { isCrossed, KeptBook } from '@dutchbook/engine/book/book.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { FeedTrust, StreamedBook } from '../../venue.ts';
import { type OutcomeSide, tokenIdOf } from '../ids.ts';
import { type BidChange, type MarketBids, mirrored, takeChange, takeSnapshot } from './market-books.ts';

const SIDES = ['yes', 'no'] as const;

/** Both books of a market, which are one at the venue, and how far they can be trusted. */
export class MarketFeed {
  readonly ticker: string;
  readonly tokenIds: TokenId[];
  readonly books: Record<OutcomeSide, StreamedBook>;
  /** Changes mean something: a snapshot has come, and nothing was lost since. */
  #isWhole = false;
  #isVerified = false;
  #wasSeen = false;

  constructor(ticker: string, now: Instant) {
    this.ticker = ticker;
    this.tokenIds = SIDES.map((side) => tokenIdOf(ticker, side));
    this.books = { yes: blankBook(now), no: blankBook(now) };
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Whether there ever was a snapshot, so that there is a book to show at all. */
  get wasSeen(): boolean {
    return this.#wasSeen;
  }

  get trust(): FeedTrust {
    if (!this.#isWhole || isCrossed(this.books.yes.book)) return 'stale';
    return this.#isVerified ? 'verified' : 'live';
  }

  /** The books stay readable, as stale, until the next snapshot. */
  lose(): void {
    this.#isWhole = false;
    this.#isVerified = false;
  }

  /**
   * Takes the venue's own books over. `isInSequence`: it was asked for while nothing had been lost, so it has to be what is kept,
   * and verifies that. @returns whether it was
   */
  take(bids: MarketBids, { now, isInSequence }: { now: Instant; isInSequence: boolean }): boolean {
    const agrees = !isInSequence || !this.#isWhole || this.#shows(bids);
    takeSnapshot({ yes: this.books.yes.book, no: this.books.no.book }, bids);
    this.#isVerified = isInSequence && this.#isWhole && agrees;
    this.#isWhole = true;
    this.#wasSeen = true;
    this.#stamp(now, now);
    return agrees;
  }

  /** False where the change does not fit, so that the books are wrong. Before a snapshot changes mean nothing. */
  change(change: BidChange, now: Instant, venueMs: number | null): boolean {
    if (!this.#isWhole) return true;
    this.#stamp(now, venueMs === null ? now : instantFromMs(Math.round(venueMs)));
    return takeChange({ yes: this.books.yes.book, no: this.books.no.book }, change);
  }

  /** Brings the stated trust in line; true when it changed. */
  updateTrust(): boolean {
    const { trust } = this;
    if (this.books.yes.trust === trust) return false;
    for (const side of SIDES) this.books[side].trust = trust;
    return true;
  }

  #shows({ yes, no }: MarketBids): boolean {
    const { book } = this.books.yes;
    return isSameSide(book.bids, yes) && isSameSide(book.asks, mirrored(no));
  }

  #stamp(receivedAt: Instant, venueTimestamp: Instant): void {
    for (const side of SIDES) {
      this.books[side].receivedAt = receivedAt;
      this.books[side].venueTimestamp = venueTimestamp;
    }
  }
}

type Levels = readonly { price: number; size: number }[];

/** Whatever order they come in. */
function isSameSide(kept: Levels, shown: Levels): boolean {
  const sizes = new Map(shown.map(({ price, size }) => [price, size]));
  return sizes.size === kept.length && kept.every(({ price, size }) => sizes.get(price) === size);
}

function blankBook(now: Instant): StreamedBook {
  return { book: new KeptBook(), trust: 'stale', receivedAt: now, venueTimestamp: now };
}
