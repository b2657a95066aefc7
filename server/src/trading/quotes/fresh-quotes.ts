import type { Book } from '@dutchbook/engine/book/book.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { Quote, Venue } from '@dutchbook/venues/venue.ts';
import type { TrustedQuote } from '../../parts.ts';
import type { Timers } from '../../world/world.ts';
import { inChunks } from './chunks.ts';
import type { MarketFacts } from './market-facts.ts';
import { bookOf } from './polled-books.ts';
import { trustedQuote } from './trusted-quote.ts';

type Asked = {
  venue: Venue;
  facts: MarketFacts;
  timers: Timers;
  /** Whether midpoints and last trades are wanted too: pricing without order books needs them. */
  withQuotes: boolean;
  onLoaded: (marketIds: readonly string[]) => void;
};

/** Markets and books as the venue has them at this moment, in the order asked. Throws VenueUnavailable. */
export async function freshQuotes(asked: Asked, positions: readonly Position[]): Promise<TrustedQuote[]> {
  const { facts, timers, venue } = asked;
  const marketIds = [...new Set(positions.map(({ marketId }) => marketId))];
  const books = new Map<string, Book | undefined>();
  const quotes = new Map<string, Quote>();
  const read = (tokenIds: readonly string[]) =>
    inChunks(timers, tokenIds, async (chunk) => {
      const found = await venue.prices.fetchBooks(chunk);
      for (const tokenId of chunk) books.set(tokenId, bookOf(found.get(tokenId)));
      if (!asked.withQuotes) return;
      for (const [tokenId, quote] of await venue.prices.fetchQuotes(chunk)) quotes.set(tokenId, quote);
    });

  const known = tokensOf(facts, positions);
  await Promise.all([facts.load(marketIds), read(known)]);
  asked.onLoaded(marketIds);
  await read(tokensOf(facts, positions).filter((tokenId) => !known.includes(tokenId)));

  return positions.map((position) => {
    const tokenId = facts.tokenOf(position);
    const book = tokenId === null ? undefined : books.get(tokenId);
    const quote = tokenId === null ? undefined : quotes.get(tokenId);
    return trustedQuote(position, {
      tokenId,
      market: facts.market(position.marketId),
      held: book === undefined ? undefined : { book, feed: 'polled', ageMs: 0 },
      midpoint: quote?.midpoint ?? null,
      lastTrade: quote?.lastTrade ?? null,
    });
  });
}

function tokensOf(facts: MarketFacts, positions: readonly Position[]): string[] {
  const tokens = positions.map((position) => facts.tokenOf(position)).filter((tokenId) => tokenId !== null);
  return [...new Set(tokens)];
}
