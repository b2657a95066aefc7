/**
 * Current markets and books of the venues. One feed serves the whole process: pricing and placing read it without
 * I/O, and tokens without a batch, trigger or reader are not subscribed to.
 */

import { midpointOf } from '@dutchbook/engine/desk/quote.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { MarketId, TokenId, VenueName } from '@dutchbook/units/ids.ts';
import type { StreamHealth } from '@dutchbook/venues/venue.ts';
import type { VenueReads } from '@dutchbook/venues/venues.ts';
import type { WatchedSettings } from '../../../people/system-settings/watched-settings.ts';
import { type Listeners, openListeners } from '../../../platform/runtime/listeners.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { LiveQuote, Quotes } from '../../markets/live-quotes.ts';
import { type Books, type HeldBook, type KeptHeldBook, openBooks } from './books.ts';
import { openFreshQuotes } from './fresh-quotes.ts';
import { liveQuote } from './live-quote.ts';
import { createMarketCache, type MarketCache } from './market-cache.ts';
import { startMarketLoader } from './market-loader.ts';
import { pollVenueQuotes, type VenueQuotes } from './venue-quotes.ts';
import { createWatchList } from './watch-list.ts';

/** `tokenIds`: whose book, or the trust in it, it is that has changed; null where it is something else of the markets. */
type ChangedMarkets = [changed: ReadonlySet<string>, tokenIds: readonly TokenId[] | null];

/** The books themselves, token by token, of those that are watched. */
export type TokenBooks = {
  ids: () => readonly string[];
  watches: (tokenId: TokenId) => boolean;
  held: (tokenId: TokenId) => KeptHeldBook | undefined;
  /** The other outcome of its market; undefined while the market is not known, null where it has not two. */
  other: (tokenId: TokenId) => string | null | undefined;
  /** Calls the listener with those whose book, or the trust in it, has changed, after all other listeners. */
  onChange: Listeners<[tokenIds: readonly TokenId[]]>['add'];
};

/** The watched markets; null: the venue does not know the market. */
export type WatchedMarkets = {
  all: () => Iterable<readonly [marketId: MarketId, market: Market | null]>;
  /** Calls the listener with one each time that something was said of it, also if it was the same. */
  onKnown: Listeners<[marketId: MarketId, market: Market | null]>['add'];
};

export type QuoteFeed = Quotes & {
  tokens: TokenBooks;
  markets: WatchedMarkets;
  /** Quotes of positions with the books of these markets frozen at this instant. */
  frozen: (marketIds: ReadonlySet<MarketId>) => (positions: readonly Position[]) => LiveQuote[];
  /** Keeps these positions fed until the same objects are handed to `unwatch`. */
  watch: (positions: readonly Position[]) => void;
  unwatch: (positions: readonly Position[]) => void;
  /** Whether the venue has answered for all of them: before that, what is missing may only not have come yet. */
  hasAnswered: (positions: readonly Position[]) => boolean;
  /** Calls the listener with the markets whose data, books or trust have changed, once per group of frames. */
  onChange: Listeners<ChangedMarkets>['add'];
  /** The market of a token; undefined while it is not known. */
  marketIdOf: (tokenId: TokenId) => string | undefined;
  /** Calls the listener with tokens that are not watched any longer. */
  onForgotten: Listeners<[tokenIds: readonly TokenId[]]>['add'];
  /** Health of a venue, or of all. */
  health: (venue?: VenueName) => StreamHealth & { mode: 'stream' | 'poll' };
  /** Drops all that is kept of the venue, here and in its adapter, and asks for it anew. */
  forget: () => void;
  stop: () => Promise<void>;
};

export function startQuotes(
  runtime: Pick<Runtime, 'clock' | 'timers' | 'log'>,
  venue: VenueReads,
  settings: WatchedSettings,
): QuoteFeed {
  const marketKnown = openListeners<[marketId: MarketId, market: Market | null]>();
  const isWatched = (marketId: MarketId) => watched.watches(marketId);
  const cache = createMarketCache(venue.catalogue, runtime.timers, isWatched, marketKnown.call);
  const updates = createMarketUpdates(cache);
  const onResolved = (marketId: MarketId) => {
    cache.noteResolved(marketId);
    updates.publish([marketId]);
  };
  const booksChanged = openListeners<[tokenIds: readonly TokenId[]]>();
  const onBooks = (tokenIds: readonly TokenId[]) => {
    updates.ofBooks(tokenIds);
    booksChanged.call(tokenIds);
  };
  const books = openBooks(runtime, venue, settings, { onBooks, onTick: cache.noteTick, onResolved });
  const otherOf = new Map<string, string | null>();
  const forgotten = openListeners<[tokenIds: readonly TokenId[]]>();
  const onRemove = (tokenIds: TokenId[]) => {
    books.remove(tokenIds);
    forgotten.call(tokenIds);
    for (const tokenId of tokenIds) otherOf.delete(tokenId);
    booksChanged.call(tokenIds);
  };
  const watched = createWatchList({ tokenOf: cache.tokenOf, onAdd: books.add, onRemove });
  const onLoaded = (marketIds: readonly MarketId[], changed: readonly string[] = marketIds) => {
    watched.resolve(marketIds);
    updates.publish(changed);
  };
  venue.catalogue.onCompared((markets) => onLoaded(cache.take(markets)));
  const loader = startMarketLoader(runtime, { cache, watched: watched.marketIds, onLoaded });
  const venueQuotes = pollVenueQuotes(venue.prices, runtime, settings, {
    tokenIds: watched.tokenIds,
    onQuotes: updates.ofQuotes,
  });

  /** Computed when read: prices come from order books as a rule, and each change of a book would compute it in vain. */
  const midpointIfUsed = (held: HeldBook | undefined) => (venueQuotes.areUsed() ? midpointOf(held?.book) : null);
  const quoteOf = (position: Position, heldOf: (tokenId: TokenId) => HeldBook | undefined = books.held): LiveQuote => {
    const tokenId = cache.tokenOf(position);
    const held = tokenId === null ? undefined : heldOf(tokenId);
    const venueQuote = tokenId === null ? undefined : venueQuotes.quote(tokenId);
    const midpoint = books.isStreamed() ? midpointIfUsed(held) : (venueQuote?.midpoint ?? null);
    const lastTrade = venueQuote?.lastTrade ?? null;
    return liveQuote(position, { tokenId, ...cache.known(position.marketId), held, midpoint, lastTrade });
  };

  return {
    current: (positions) => positions.map((position) => quoteOf(position)),
    frozen: (marketIds) => {
      const then = frozenBooks(marketIds, cache, books);
      const heldOf = (tokenId: TokenId) => (then.has(tokenId) ? then.get(tokenId) : books.held(tokenId));
      return (positions) => positions.map((position) => quoteOf(position, heldOf));
    },
    fresh: openFreshQuotes({
      venue,
      cache,
      runtime,
      books,
      withQuotes: venueQuotes.areUsed,
      onLoaded: watched.resolve,
    }),
    watch: (positions) => {
      const unwatched = new Set(positions.map(({ marketId }) => marketId).filter((id) => !isWatched(id)));
      watched.add(positions);
      for (const [id, market] of knownOf(cache, unwatched)) marketKnown.call(id, market);
      loader.want(positions.map(({ marketId }) => marketId));
    },
    unwatch: (positions) => {
      watched.remove(positions);
      cache.noteUnwatched(positions);
    },
    hasAnswered: (positions) => positions.every((position) => hasAnswered({ cache, books, venueQuotes }, position)),
    tokens: {
      ids: watched.tokenIds,
      watches: watched.watchesToken,
      held: books.held,
      other: (tokenId) => {
        const known = otherOf.get(tokenId);
        if (known !== undefined) return known;
        const other = otherToken(cache, tokenId);
        if (other !== undefined && watched.watchesToken(tokenId)) otherOf.set(tokenId, other);
        return other;
      },
      onChange: booksChanged.add,
    },
    markets: { all: () => knownOf(cache, watched.marketIds()), onKnown: marketKnown.add },
    onChange: updates.onChange,
    marketIdOf: cache.marketIdOfToken,
    onForgotten: forgotten.add,
    health: (name) => ({ mode: books.isStreamed() ? 'stream' : 'poll', ...books.health(name) }),
    forget: () => {
      venue.forget();
      cache.forget();
      venueQuotes.forget();
      books.restart();
      loader.want(watched.marketIds());
    },
    stop: async () => {
      loader.stop();
      venueQuotes.stop();
      await books.stop();
    },
  };
}

function* knownOf(
  cache: Pick<MarketCache, 'market'>,
  marketIds: Iterable<MarketId>,
): Generator<[string, Market | null]> {
  for (const id of marketIds) {
    const market = cache.market(id);
    if (market !== undefined) yield [id, market];
  }
}

function otherToken(
  cache: Pick<MarketCache, 'marketIdOfToken' | 'market'>,
  tokenId: TokenId,
): string | null | undefined {
  const marketId = cache.marketIdOfToken(tokenId);
  const outcomes = marketId === undefined ? undefined : cache.market(marketId)?.outcomes;
  if (outcomes === undefined) return undefined;
  const [other, ...more] = outcomes.filter((outcome) => outcome.tokenId !== tokenId);
  return more.length === 0 ? (other?.tokenId ?? null) : null;
}

/** The listeners of markets, called once per group of frames, however many tokens it touched. */
function createMarketUpdates(cache: Pick<MarketCache, 'marketIdOfToken'>) {
  const listeners = openListeners<ChangedMarkets>();
  const marketsOf = (tokenIds: readonly TokenId[]) => {
    const marketIds = new Set<MarketId>();
    for (const tokenId of tokenIds) {
      const marketId = cache.marketIdOfToken(tokenId);
      if (marketId !== undefined) marketIds.add(marketId);
    }
    return marketIds;
  };
  const publish = (changed: ReadonlySet<string>, tokenIds: readonly TokenId[] | null = null) => {
    if (changed.size > 0) listeners.call(changed, tokenIds);
  };
  return {
    publish: (marketIds: Iterable<MarketId>) => publish(new Set(marketIds)),
    ofQuotes: (tokenIds: readonly TokenId[]) => publish(marketsOf(tokenIds)),
    ofBooks: (tokenIds: readonly TokenId[]) => publish(marketsOf(tokenIds), tokenIds),
    onChange: listeners.add,
  };
}

/** Books are changed in place: copies of those of the markets. */
function frozenBooks(
  marketIds: ReadonlySet<MarketId>,
  cache: Pick<MarketCache, 'market'>,
  books: Pick<Books, 'held'>,
): ReadonlyMap<TokenId, HeldBook | undefined> {
  const tokenIds = [...marketIds].flatMap((id) => cache.market(id)?.outcomes.map(({ tokenId }) => tokenId) ?? []);
  return new Map(tokenIds.map((tokenId) => [tokenId, copied(books.held(tokenId))]));
}

function copied(held: HeldBook | undefined): HeldBook | undefined {
  if (held === undefined) return undefined;
  const { bids, asks } = held.book;
  return { ...held, book: { bids, asks } };
}

/** Whether the venue has answered everything about this position: its market, and the book and quote of its token. */
function hasAnswered(
  { cache, books, venueQuotes }: { cache: MarketCache; books: Books; venueQuotes: VenueQuotes },
  position: Position,
): boolean {
  if (cache.market(position.marketId) === undefined) return false;
  const tokenId = cache.tokenOf(position);
  return tokenId === null || (books.hasAnswered(tokenId) && venueQuotes.hasAnswered(tokenId));
}
