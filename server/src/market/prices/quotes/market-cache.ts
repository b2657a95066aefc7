import { isDeepStrictEqual } from 'node:util';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { type Position, resolvePosition } from '@dutchbook/engine/opportunity/position.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Tick } from '@dutchbook/units/price.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import { type VenueCatalogue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Timers } from '../../../platform/runtime/runtime.ts';
import { inChunks } from './venue-reads.ts';

/** Caches the venue's last answer about each market. */
export type MarketCache = {
  /** null: the venue does not know it. undefined: it was not asked yet, so nothing may be concluded. */
  market: (marketId: MarketId) => Market | null | undefined;
  /** The market, and why it cannot be traded here; null where nothing is known against it. */
  known: (marketId: MarketId) => { market: Market | null | undefined; whyLeftOut: string | null };
  /** null while the market, or that outcome of it, is not known. */
  tokenOf: (position: Position) => string | null;
  marketIdOfToken: (tokenId: TokenId) => string | undefined;
  /**
   * Asks anew for each, and reports which were answered as soon as they are kept, and which of those have changed. Throws
   * VenueUnavailable once all were asked, if some were not answered; what was known of those stands.
   */
  load: (
    marketIds: readonly MarketId[],
    given?: { priority?: ReadPriority; onKept?: (marketIds: readonly MarketId[], changed: readonly string[]) => void },
  ) => Promise<void>;
  /** Takes markets read by the catalogue. @returns those that differ from the cache */
  take: (markets: readonly Market[]) => string[];
  /** These positions do not need them any more. */
  noteUnwatched: (positions: readonly Position[]) => void;
  /** Drops what the catalogue said; what the stream said is not said again, and stays. */
  forget: () => void;
  /** Takes the stream's word at once: the catalogue may say so minutes later, or say otherwise until then. */
  noteResolved: (marketId: MarketId) => void;
  noteTick: (tokenId: TokenId, tick: Tick) => void;
};

/** Unwatched markets kept, so that made-up ids cannot fill the memory. */
const UNWATCHED_MAX = 10_000;

export function createMarketCache(
  catalogue: VenueCatalogue,
  timers: Timers,
  isWatched: (marketId: MarketId) => boolean,
  /** Called with a watched market each time the venue states it. */
  onKnown: (marketId: MarketId, market: Market | null) => void = () => {},
): MarketCache {
  const markets = new Map<MarketId, Market | null>();
  const marketOfToken = new Map<string, string>();
  const resolved = new Set<string>();
  /** Known and unwatched when last looked at; the oldest are dropped first. */
  const unwatched = new Set<string>();
  /** A position is looked up once and not on every frame: its market keeps its list of outcomes while that says the same. */
  const tokens = new WeakMap<Position, { tokenId: TokenId; outcomes: Market['outcomes'] }>();

  const set = (id: string, market: Market | null) => {
    markets.set(id, market);
    if (isWatched(id)) onKnown(id, market);
  };
  /** Answers whether anything else is known now. */
  const keep = (id: string, market: Market | null): boolean => {
    const before = markets.get(id);
    const known = market && { ...(resolved.has(id) ? closed(market) : market), outcomes: outcomesOf(market, before) };
    markets.delete(id);
    set(id, known);
    for (const { tokenId } of market?.outcomes ?? []) marketOfToken.set(tokenId, id);
    noteIfUnwatched(id);
    return !isDeepStrictEqual(before, known);
  };
  const noteIfUnwatched = (id: string) => {
    unwatched.delete(id);
    if (markets.has(id) && !isWatched(id)) unwatched.add(id);
  };

  /** Only before others are asked for, so that none is dropped on its way to who asked. */
  const dropUnwatched = () => {
    for (const id of unwatched) {
      if (unwatched.size <= UNWATCHED_MAX) return;
      unwatched.delete(id);
      if (isWatched(id)) continue;
      for (const { tokenId } of markets.get(id)?.outcomes ?? []) marketOfToken.delete(tokenId);
      markets.delete(id);
    }
  };

  return {
    market: (marketId) => markets.get(marketId),
    known: (marketId) => {
      const market = markets.get(marketId);
      return { market, whyLeftOut: market === null ? catalogue.whyLeftOut(marketId) : null };
    },
    marketIdOfToken: (tokenId) => marketOfToken.get(tokenId),

    tokenOf: (position) => {
      const known = tokens.get(position);
      const market = markets.get(position.marketId);
      if (market === undefined || market === null) return known?.tokenId ?? null;
      if (known?.outcomes === market.outcomes) return known.tokenId;
      const found = resolvePosition(position, market);
      if (found.kind === 'unresolved') return null;
      tokens.set(position, { tokenId: found.tokenId, outcomes: market.outcomes });
      return found.tokenId;
    },

    load: (marketIds, { priority, onKept } = {}) => {
      dropUnwatched();
      return inAllChunks(timers, marketIds, async (ids) => {
        const found = await catalogue.marketsById(ids, priority);
        const changed = ids.filter((id) => keep(id, found.get(id) ?? null));
        onKept?.(ids, changed);
      });
    },

    take: (said) => {
      const changed = said.filter((market) => markets.has(market.id) && keep(market.id, market));
      return changed.map(({ id }) => id);
    },

    noteUnwatched: (positions) => {
      for (const { marketId } of positions) noteIfUnwatched(marketId);
    },

    forget: () => {
      markets.clear();
      unwatched.clear();
    },

    noteResolved: (marketId) => {
      resolved.add(marketId);
      const market = markets.get(marketId);
      if (market) set(marketId, closed(market));
    },

    noteTick: (tokenId, tick) => {
      const id = marketOfToken.get(tokenId);
      const market = id === undefined ? undefined : markets.get(id);
      if (id !== undefined && market) set(id, { ...market, tick });
    },
  };
}

/** A chunk that fails at every attempt must not keep those behind it from being asked for. */
async function inAllChunks(
  timers: Timers,
  marketIds: readonly MarketId[],
  work: (chunk: string[]) => Promise<void>,
): Promise<void> {
  const failures: VenueUnavailable[] = [];
  await inChunks(timers, marketIds, async (chunk) => {
    try {
      await work(chunk);
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      failures.push(error);
    }
  });
  if (failures[0]) throw failures[0];
}

/** Reuses the previous outcomes where they are equal. */
function outcomesOf({ outcomes }: Market, before: Market | null | undefined): Market['outcomes'] {
  return before && isDeepStrictEqual(before.outcomes, outcomes) ? before.outcomes : outcomes;
}

function closed(market: Market): Market {
  return { ...market, closed: true, acceptingOrders: false };
}
