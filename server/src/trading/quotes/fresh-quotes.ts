import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { Quote, Venue } from '@dutchbook/venues/venue.ts';
import type { TrustedQuote } from '../../parts.ts';
import type { World } from '../../world/world.ts';
import type { HeldBook } from './book-source.ts';
import { inChunks } from './chunks.ts';
import type { MarketFacts } from './market-facts.ts';
import { ageMsOf, type Polled, polledBook } from './polled-books.ts';
import { isStreamed, trustedQuote } from './trusted-quote.ts';

type Asked = {
  venue: Venue;
  facts: MarketFacts;
  world: Pick<World, 'clock' | 'timers'>;
  /** The book that the feed has of a token. */
  heldOf: (tokenId: string) => HeldBook | undefined;
  /** Whether midpoints and last trades are wanted too: pricing without order books needs them. */
  withQuotes: boolean;
  onLoaded: (marketIds: readonly string[]) => void;
};

/**
 * Markets and books as the venue has them at this moment, in the order asked. Of a book that it serves older than a healthy
 * stream has brought it, the stream's is taken. Throws VenueUnavailable.
 */
export async function freshQuotes(asked: Asked, positions: readonly Position[]): Promise<TrustedQuote[]> {
  const { facts, venue } = asked;
  const { clock, timers } = asked.world;
  const marketIds = [...new Set(positions.map(({ marketId }) => marketId))];
  const books = new Map<string, Polled>();
  const quotes = new Map<string, Quote>();
  const read = (tokenIds: readonly string[]) =>
    inChunks(timers, tokenIds, async (chunk) => {
      const at = clock.now();
      const found = await venue.prices.fetchBooks(chunk);
      for (const tokenId of chunk) books.set(tokenId, polledBook(found.get(tokenId), at));
      if (!asked.withQuotes) return;
      for (const [tokenId, quote] of await venue.prices.fetchQuotes(chunk)) quotes.set(tokenId, quote);
    });

  const known = tokensOf(facts, positions);
  await Promise.all([facts.load(marketIds), read(known)]);
  asked.onLoaded(marketIds);
  await read(tokensOf(facts, positions).filter((tokenId) => !known.includes(tokenId)));

  const now = clock.now();
  const newest = (tokenId: string): HeldBook | undefined => {
    const polled = books.get(tokenId);
    if (polled?.found === undefined) return undefined;
    const held = asked.heldOf(tokenId);
    const isOutrun = held && isStreamed(held) && held.venueTimestamp > polled.found.venueTimestamp;
    return isOutrun ? held : { ...polled.found, feed: 'polled', ageMs: ageMsOf(polled, now) };
  };
  return positions.map((position) => {
    const tokenId = facts.tokenOf(position);
    const quote = tokenId === null ? undefined : quotes.get(tokenId);
    return trustedQuote(position, {
      tokenId,
      market: facts.market(position.marketId),
      held: tokenId === null ? undefined : newest(tokenId),
      midpoint: quote?.midpoint ?? null,
      lastTrade: quote?.lastTrade ?? null,
    });
  });
}

function tokensOf(facts: MarketFacts, positions: readonly Position[]): string[] {
  const tokens = positions.map((position) => facts.tokenOf(position)).filter((tokenId) => tokenId !== null);
  return [...new Set(tokens)];
}
