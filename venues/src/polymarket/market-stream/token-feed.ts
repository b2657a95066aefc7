import {
  applyLevelChange,
  bestLevel,
  dropBeyondBest,
  isCrossed,
  KeptBook,
  replaceBook,
} from '@dutchbook/engine/book/book.ts';
import type { Level, LevelChange, Side } from '@dutchbook/engine/book/level.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { BookSnapshot, FeedTrust, StreamedBook } from '../../venue.ts';

/**
 * One token's part of the stream: its book, and what is known about how far the book can be trusted. A token is
 * `live` or `verified` only while none of the flags below is set.
 */
export type TokenFeed = {
  readonly tokenId: TokenId;
  readonly streamed: StreamedBook;
  /** The connection does not stand, or its keep-alive is late. */
  isCutOff: boolean;
  /** No snapshot since the last (re)connect or change of tick: changes mean nothing yet. */
  isBlank: boolean;
  /** The book does not show the best prices the venue states; the rest of a burst may still correct it. */
  isUnaccepted: boolean;
  /** It stayed unsettled, or a frame could not be read: only a fresh snapshot helps. */
  isLost: boolean;
  /** Whether there ever was a snapshot, so that there is a book to show at all. */
  wasSeen: boolean;
  /** The best prices as last stated; null when the venue said nothing of that side since the last `book` frame. */
  statedBid: Price | null;
  statedAsk: Price | null;
  /** Counts everything that touched the book, to see whether it moved while something else was looked up. */
  touched: number;
  /** When REST last agreed with the book, in the order of checks; 0 is never. */
  checkedRound: number;
  /** When it was last compared with REST, whatever came of that, in the order of comparisons; 0 is never. */
  comparedRound: number;
  /** When the book was last shown to be right, on a clock that only runs: by a frame of its own, or by REST. */
  provenAtMs: number;
  /** Whether REST has agreed with the book since it was begun anew, flagged or mended, and not too long ago. */
  hasAgreed: boolean;
  /** Changes that arrived while a REST snapshot was under way; null when none is. */
  sinceRequest: LevelChange[] | null;
  /** Fresh snapshots that did not help, in a row. */
  failedResyncs: number;
  /** How often in a row REST had no book for it. */
  absences: number;
  isInGroup: boolean;
  /** The venue's time of the frames after which it was left unsettled; frames of another time end the wait. */
  unsettledAt: Instant | null;
};

export function createTokenFeed(tokenId: TokenId, now: Instant): TokenFeed {
  return {
    tokenId,
    streamed: { book: new KeptBook(), trust: 'stale', receivedAt: now, venueTimestamp: now },
    isCutOff: true,
    isBlank: true,
    isUnaccepted: false,
    isLost: false,
    wasSeen: false,
    statedBid: null,
    statedAsk: null,
    touched: 0,
    checkedRound: 0,
    comparedRound: 0,
    provenAtMs: 0,
    hasAgreed: false,
    sinceRequest: null,
    failedResyncs: 0,
    absences: 0,
    isInGroup: false,
    unsettledAt: null,
  };
}

/** Brings the stated trust in line with the flags; true when it changed. */
export function updateTrust(feed: TokenFeed): boolean {
  if (isDoubtful(feed)) feed.hasAgreed = false;
  const trust = trustIn(feed);
  if (feed.streamed.trust === trust) return false;
  feed.streamed.trust = trust;
  return true;
}

function trustIn(feed: TokenFeed): FeedTrust {
  if (isDoubtful(feed)) return 'stale';
  return feed.hasAgreed ? 'verified' : 'live';
}

function isDoubtful({ isCutOff, isBlank, isUnaccepted, isLost }: TokenFeed): boolean {
  return isCutOff || isBlank || isUnaccepted || isLost;
}

/** Forgets everything the stream said; the next snapshot starts afresh. The old book stays readable, as stale. */
export function blank(feed: TokenFeed): void {
  feed.isBlank = true;
  feed.isUnaccepted = false;
  feed.isLost = false;
  feed.unsettledAt = null;
  feed.statedBid = null;
  feed.statedAsk = null;
  feed.sinceRequest = null;
  feed.hasAgreed = false;
  feed.touched += 1;
}

/**
 * Takes over a `book` frame: the venue's own full picture at this point of the stream. The venue repeats it at will; only
 * one that mends a book makes what REST said of the book before worthless.
 */
export function takeBookFrame(feed: TokenFeed, bids: readonly Level[], asks: readonly Level[]): void {
  const hasAgreed = feed.hasAgreed && !isDoubtful(feed);
  blank(feed);
  feed.hasAgreed = hasAgreed;
  replaceBook(feed.streamed.book, bids, asks);
  feed.isBlank = false;
  feed.wasSeen = true;
  feed.failedResyncs = 0;
  feed.absences = 0;
  feed.isUnaccepted = isCrossed(feed.streamed.book);
}

/**
 * Takes over a REST snapshot and repeats the changes that arrived since it was asked for: they carry absolute sizes, so
 * repeating one that the snapshot already holds does no harm. The best prices last stated on the stream must show in
 * the result, because the venue is known to serve old books over REST now and then.
 */
export function takeRestSnapshot(feed: TokenFeed, snapshot: BookSnapshot, now: Instant, askedAtMs: number): void {
  const { bids, asks, timestamp } = snapshot;
  const since = feed.sinceRequest ?? [];
  feed.sinceRequest = null;
  const { book } = feed.streamed;
  replaceBook(book, bids, asks);
  for (const { side, price, size } of since) applyLevelChange(book, side, price, size);
  feed.isBlank = false;
  feed.isLost = false;
  feed.hasAgreed = false;
  feed.unsettledAt = null;
  feed.wasSeen = true;
  feed.absences = 0;
  feed.touched += 1;
  feed.provenAtMs = Math.max(feed.provenAtMs, askedAtMs);
  feed.streamed.receivedAt = now;
  feed.streamed.venueTimestamp = timestamp;
  acceptBook(feed);
  feed.failedResyncs = feed.isUnaccepted ? feed.failedResyncs + 1 : 0;
}

/** Applies one level change of a frame. */
export function takeChange(feed: TokenFeed, side: Side, price: Price, size: Shares): void {
  feed.touched += 1;
  if (feed.sinceRequest !== null) feed.sinceRequest.push({ side, price, size });
  if (!feed.isBlank) applyLevelChange(feed.streamed.book, side, price, size);
}

/** Drops what lies beyond the best prices last stated and sees whether the book shows them now. */
export function acceptBook(feed: TokenFeed): void {
  if (feed.isBlank) return;
  const { book } = feed.streamed;
  feed.isUnaccepted = !dropBeyondBest(book, feed.statedBid, feed.statedAsk) || isCrossed(book);
}

/** Whether a REST book shows the same best levels. */
export function showsSameTop(feed: TokenFeed, { bids, asks }: BookSnapshot): boolean {
  const { book } = feed.streamed;
  return sameLevel(bestLevel(book, 'buy'), bids[0]) && sameLevel(bestLevel(book, 'sell'), asks[0]);
}

function sameLevel(a: Level | undefined, b: Level | undefined): boolean {
  return a?.price === b?.price && a?.size === b?.size;
}
