import { isStreamed } from '@dutchbook/engine/desk/quote.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import type { Quote } from '@dutchbook/venues/venue.ts';
import type { VenueReads } from '@dutchbook/venues/venues.ts';
import { openSingleFlight } from '../../../platform/http/single-flight.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { LiveQuote, Quotes } from '../../markets/live-quotes.ts';
import { ageMsOf, type HeldBook, type Polled, polledBook } from './books.ts';
import { liveQuote } from './live-quote.ts';
import type { MarketCache } from './market-cache.ts';
import { inChunks } from './venue-reads.ts';

type Asked = {
  venue: VenueReads;
  cache: MarketCache;
  runtime: Pick<Runtime, 'clock' | 'timers'>;
  /** The books that the feed has. */
  books: { held: (tokenId: TokenId) => HeldBook | undefined };
  /** Whether midpoints and last trades are wanted too: pricing without order books needs them. */
  withQuotes: () => boolean;
  onLoaded: (marketIds: readonly MarketId[]) => void;
};

/** Display reads of the same positions at the same time share one call of the venue; those for trading each make their own. */
export function openFreshQuotes(asked: Asked): Quotes['fresh'] {
  const inFlight = openSingleFlight();
  return (positions, priority = 'trading') => {
    const read = () => freshQuotes(asked, positions, priority);
    return priority === 'display' ? inFlight(JSON.stringify(positions), read) : read();
  };
}

/**
 * Markets and books as the venue has them at this moment, in the order asked. Of a book that it serves older than a healthy
 * stream has brought it, the stream's is taken. Throws VenueUnavailable.
 */
async function freshQuotes(asked: Asked, positions: readonly Position[], priority: ReadPriority): Promise<LiveQuote[]> {
  const { cache, venue } = asked;
  const withQuotes = asked.withQuotes();
  const { clock, timers } = asked.runtime;
  const marketIds = [...new Set(positions.map(({ marketId }) => marketId))];
  const books = new Map<string, Polled>();
  const quotes = new Map<TokenId, Quote>();
  const read = (tokenIds: readonly TokenId[]) =>
    inChunks(timers, tokenIds, async (chunk) => {
      const at = clock.now();
      const found = await venue.prices.fetchBooks(chunk, priority);
      for (const tokenId of chunk) books.set(tokenId, polledBook(found.get(tokenId), at));
      if (!withQuotes) return;
      for (const [tokenId, quote] of await venue.prices.fetchQuotes(chunk, priority)) quotes.set(tokenId, quote);
    });

  const known = tokensOf(cache, positions);
  await Promise.all([cache.load(marketIds, { priority }), read(known)]);
  asked.onLoaded(marketIds);
  await read(tokensOf(cache, positions).filter((tokenId) => !known.includes(tokenId)));

  const now = clock.now();
  const newest = (tokenId: TokenId): HeldBook | undefined => {
    const polled = books.get(tokenId);
    if (polled?.found === undefined) return undefined;
    const held = asked.books.held(tokenId);
    const isOutrun = held && isStreamed(held) && held.venueTimestamp > polled.found.venueTimestamp;
    return isOutrun ? held : { ...polled.found, feed: 'polled', ageMs: ageMsOf(polled, now) };
  };
  return positions.map((position) => {
    const tokenId = cache.tokenOf(position);
    const quote = tokenId === null ? undefined : quotes.get(tokenId);
    return liveQuote(position, {
      tokenId,
      ...cache.known(position.marketId),
      held: tokenId === null ? undefined : newest(tokenId),
      midpoint: quote?.midpoint ?? null,
      lastTrade: quote?.lastTrade ?? null,
    });
  });
}

function tokensOf(cache: MarketCache, positions: readonly Position[]): string[] {
  const tokens = positions.map((position) => cache.tokenOf(position)).filter((tokenId) => tokenId !== null);
  return [...new Set(tokens)];
}
