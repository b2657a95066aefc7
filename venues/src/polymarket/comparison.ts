import { setTimeout as pause } from 'node:timers/promises';
import type { BookSnapshot, VenuePrices, VenueWorld } from '../venue.ts';
import { showsSameTop, type TokenFeed } from './token-feed.ts';

/** Numbers the comparisons of all sockets, so that "the longest ago" needs no clock. */
let turns = 0;

/** The trusted feeds whose last comparison lies back the furthest, at most `count`. */
export function longestUnchecked(feeds: Iterable<TokenFeed>, count: number): TokenFeed[] {
  return [...feeds]
    .filter((feed) => feed.streamed.trust !== 'stale')
    .sort((a, b) => a.checkedTurn - b.checkedTurn)
    .slice(0, count);
}

/**
 * Compares books with REST, notes where they agree, and returns those that really differ. A feed that answers pings but
 * brings no data looks healthy from inside; only this shows it.
 *
 * A book that moved while REST answered proves nothing and is left for the next time. One that differs is asked for a
 * second time after `settleMs`, because the change may be under way on the socket, and because the venue now and then
 * serves old books over REST. A REST call that fails proves nothing either.
 */
export async function findDiffering(
  feeds: readonly TokenFeed[],
  prices: VenuePrices,
  world: VenueWorld,
  settleMs: number,
): Promise<TokenFeed[]> {
  try {
    const suspects = await differing(feeds, prices, world);
    if (suspects.length === 0) return [];
    const touched = new Map(suspects.map((feed) => [feed, feed.touched]));
    await pause(settleMs, undefined, { ref: false });
    return await differing(
      suspects.filter((feed) => feed.touched === touched.get(feed)),
      prices,
      world,
    );
  } catch (error) {
    world.log.warn({ reason: String(error) }, 'books could not be compared');
    return [];
  }
}

async function differing(feeds: readonly TokenFeed[], prices: VenuePrices, world: VenueWorld): Promise<TokenFeed[]> {
  if (feeds.length === 0) return [];
  const touched = feeds.map((feed) => feed.touched);
  const snapshots = await prices.fetchBooks(feeds.map(({ tokenId }) => tokenId));
  return feeds.filter((feed, index) => {
    const snapshot: BookSnapshot | undefined = snapshots.get(feed.tokenId);
    if (!snapshot || feed.touched !== touched[index]) return false;
    if (!showsSameTop(feed, snapshot)) return true;
    feed.checkedTurn = ++turns;
    feed.streamed.receivedAt = world.now();
    feed.hasAgreed = feed.streamed.trust !== 'stale';
    return false;
  });
}
