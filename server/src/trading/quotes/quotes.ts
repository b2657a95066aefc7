/**
 * What the venue's markets and books say now. One feed serves the whole process: pricing and placing read it without
 * I/O, and what nobody trades or looks at is not subscribed to.
 */
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { Quotes, TrustedQuote, WatchedSettings } from '../../parts.ts';
import type { World } from '../../world/world.ts';
import { freshQuotes } from './fresh-quotes.ts';
import { createMarketFacts, type MarketFacts } from './market-facts.ts';
import { startMarketLoader } from './market-loader.ts';
import { createSeenPrices } from './seen-prices.ts';
import { type SwitchedBooks, switchBooks } from './switched-books.ts';
import { midpointOf, trustedQuote } from './trusted-quote.ts';
import { pollVenueQuotes, type VenueQuotes } from './venue-quotes.ts';
import { createWatchList } from './watch-list.ts';

/** `repriced`: those of the changed markets that pricing has to look at again. */
type MarketsListener = (changed: ReadonlySet<string>, repriced: ReadonlySet<string>) => void;

export type QuoteFeed = Quotes & {
  /** Keeps these positions fed until the same objects are handed to `unwatch`. */
  watch: (positions: readonly Position[]) => void;
  unwatch: (positions: readonly Position[]) => void;
  /** Whether the venue has answered for all of them: before that, what is missing may only not have come yet. */
  hasAnswered: (positions: readonly Position[]) => boolean;
  /** Calls the listener with the markets whose facts, books or trust have changed, once per group of frames. */
  onChange: (listener: MarketsListener) => void;
  health: () => { mode: 'stream' | 'poll'; sockets: number; connected: number; tokens: number; staleTokens: number };
  /** Drops all that is kept of the venue, here and in its adapter, and asks for it anew. */
  forget: () => void;
  stop: () => Promise<void>;
};

export function startQuotes(
  world: Pick<World, 'clock' | 'timers' | 'log'>,
  venue: Venue,
  settings: WatchedSettings,
): QuoteFeed {
  const facts = createMarketFacts(venue.catalogue, world.timers, (marketId) => watched.watches(marketId));
  const seenPrices = createSeenPrices(settings);
  const news = createMarketNews(facts, (tokenId) => seenPrices.isNew(tokenId, books.held(tokenId)));
  const onResolved = (marketId: string) => {
    facts.noteResolved(marketId);
    news.tell([marketId]);
  };
  const books = switchBooks(world, venue, settings, { onBooks: news.ofBooks, onTick: facts.noteTick, onResolved });
  const onRemove = (tokenIds: string[]) => {
    books.remove(tokenIds);
    seenPrices.forget(tokenIds);
  };
  const watched = createWatchList({ tokenOf: facts.tokenOf, onAdd: books.add, onRemove });
  const loader = startMarketLoader(world, {
    facts,
    watched: watched.marketIds,
    onLoaded: (marketIds) => {
      watched.resolve(marketIds);
      news.tell(marketIds);
    },
  });
  const venueQuotes = pollVenueQuotes(venue.prices, world, settings, {
    tokenIds: watched.tokenIds,
    onQuotes: news.ofQuotes,
  });

  const quoteOf = (position: Position): TrustedQuote => {
    const tokenId = facts.tokenOf(position);
    const held = tokenId === null ? undefined : books.held(tokenId);
    const venueQuote = tokenId === null ? undefined : venueQuotes.quote(tokenId);
    const midpoint = books.isStreamed() ? midpointOf(held?.book) : (venueQuote?.midpoint ?? null);
    const lastTrade = venueQuote?.lastTrade ?? null;
    return trustedQuote(position, { tokenId, market: facts.market(position.marketId), held, midpoint, lastTrade });
  };

  return {
    current: (positions) => positions.map(quoteOf),
    fresh: (positions) =>
      freshQuotes(
        { venue, facts, world, heldOf: books.held, withQuotes: venueQuotes.areUsed(), onLoaded: watched.resolve },
        positions,
      ),
    watch: (positions) => {
      watched.add(positions);
      loader.want(positions.map(({ marketId }) => marketId));
    },
    unwatch: watched.remove,
    hasAnswered: (positions) => positions.every((position) => hasAnswered({ facts, books, venueQuotes }, position)),
    onChange: news.onChange,
    health: () => ({ mode: books.isStreamed() ? 'stream' : 'poll', ...books.health() }),
    forget: () => {
      venue.forget();
      facts.forget();
      venueQuotes.forget();
      books.restart();
      loader.want(watched.marketIds());
    },
    stop: async () => {
      news.stop();
      loader.stop();
      venueQuotes.stop();
      await books.stop();
    },
  };
}

/** Who follows the markets, and what they are told: once per group of frames, however many tokens it touched. */
function createMarketNews(facts: Pick<MarketFacts, 'marketIdOfToken'>, isRepriced: (tokenId: string) => boolean) {
  const listeners: MarketsListener[] = [];
  const send = (changed: ReadonlySet<string>, repriced: ReadonlySet<string>) => {
    if (changed.size > 0) for (const listener of listeners) listener(changed, repriced);
  };
  const tell = (marketIds: Iterable<string>) => {
    const changed = new Set(marketIds);
    send(changed, changed);
  };
  return {
    tell,
    ofQuotes: (tokenIds: readonly string[]) =>
      tell(tokenIds.map(facts.marketIdOfToken).filter((id) => id !== undefined)),
    ofBooks: (tokenIds: readonly string[]) => {
      const changed = new Set<string>();
      const repriced = new Set<string>();
      for (const tokenId of tokenIds) {
        const marketId = facts.marketIdOfToken(tokenId);
        if (marketId === undefined) continue;
        changed.add(marketId);
        if (isRepriced(tokenId)) repriced.add(marketId);
      }
      send(changed, repriced);
    },
    onChange: (listener: MarketsListener) => void listeners.push(listener),
    stop: () => {
      listeners.length = 0;
    },
  };
}

/** Whether the venue has said what there is to say of this position: its market, and the book and quote of its token. */
function hasAnswered(
  { facts, books, venueQuotes }: { facts: MarketFacts; books: SwitchedBooks; venueQuotes: VenueQuotes },
  position: Position,
): boolean {
  if (facts.market(position.marketId) === undefined) return false;
  const tokenId = facts.tokenOf(position);
  return tokenId === null || (books.hasAnswered(tokenId) && venueQuotes.hasAnswered(tokenId));
}
