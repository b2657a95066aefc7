import type { Market } from '@dutchbook/engine/market/market.ts';
import { type Position, resolvePosition } from '@dutchbook/engine/opportunity/position.ts';
import type { Tick } from '@dutchbook/units/price.ts';
import { type VenueCatalogue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Timers } from '../../world/world.ts';
import { inChunks } from './chunks.ts';

/** What the venue last said of the markets it was asked about. */
export type MarketFacts = {
  /** null: the venue does not know it. undefined: it was not asked yet, so nothing may be concluded. */
  market: (marketId: string) => Market | null | undefined;
  /** null while the market, or that outcome of it, is not known. */
  tokenOf: (position: Position) => string | null;
  marketIdOfToken: (tokenId: string) => string | undefined;
  /**
   * Asks anew, and tells of what was answered as soon as it is kept. Throws VenueUnavailable once all were asked, if some
   * were not answered; what was known of those stands.
   */
  load: (marketIds: readonly string[], onKept?: (marketIds: readonly string[]) => void) => Promise<void>;
  /** Drops what the catalogue said; what the stream said is not said again, and stays. */
  forget: () => void;
  /** Takes the stream's word at once: the catalogue may say so minutes later, or say otherwise until then. */
  noteResolved: (marketId: string) => void;
  noteTick: (tokenId: string, tick: Tick) => void;
};

/** As many markets that nobody watches are remembered; whoever names made-up ones would fill the memory otherwise. */
const UNWATCHED_MAX = 10_000;

export function createMarketFacts(
  catalogue: VenueCatalogue,
  timers: Timers,
  isWatched: (marketId: string) => boolean,
): MarketFacts {
  const markets = new Map<string, Market | null>();
  const marketOfToken = new Map<string, string>();
  const resolved = new Set<string>();
  /** A market's tokens never change, so a position is looked up once and not on every frame. */
  const tokens = new WeakMap<Position, string>();

  const keep = (id: string, market: Market | null) => {
    markets.delete(id);
    markets.set(id, market !== null && resolved.has(id) ? closed(market) : market);
    for (const { tokenId } of market?.outcomes ?? []) marketOfToken.set(tokenId, id);
  };

  /** The oldest answers first. Only before others are asked for, so that none is dropped on its way to who asked. */
  const dropUnwatched = () => {
    if (markets.size <= UNWATCHED_MAX) return;
    const unwatched = [...markets.keys()].filter((id) => !isWatched(id));
    for (const id of unwatched.slice(0, Math.max(0, unwatched.length - UNWATCHED_MAX))) {
      for (const { tokenId } of markets.get(id)?.outcomes ?? []) marketOfToken.delete(tokenId);
      markets.delete(id);
    }
  };

  return {
    market: (marketId) => markets.get(marketId),
    marketIdOfToken: (tokenId) => marketOfToken.get(tokenId),

    tokenOf: (position) => {
      const known = tokens.get(position);
      if (known !== undefined) return known;
      const market = markets.get(position.marketId);
      if (market === undefined || market === null) return null;
      const found = resolvePosition(position, market);
      if (found.kind === 'unresolved') return null;
      tokens.set(position, found.tokenId);
      return found.tokenId;
    },

    load: (marketIds, onKept) => {
      dropUnwatched();
      return inAllChunks(timers, [...new Set(marketIds)], async (ids) => {
        const found = await catalogue.marketsById(ids);
        for (const id of ids) keep(id, found.get(id) ?? null);
        onKept?.(ids);
      });
    },

    forget: () => markets.clear(),

    noteResolved: (marketId) => {
      resolved.add(marketId);
      const market = markets.get(marketId);
      if (market) markets.set(marketId, closed(market));
    },

    noteTick: (tokenId, tick) => {
      const id = marketOfToken.get(tokenId);
      const market = id === undefined ? undefined : markets.get(id);
      if (id !== undefined && market) markets.set(id, { ...market, tick });
    },
  };
}

/** A chunk that fails at every attempt must not keep those behind it from being asked for. */
async function inAllChunks(
  timers: Timers,
  marketIds: readonly string[],
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

function closed(market: Market): Market {
  return { ...market, closed: true, acceptingOrders: false };
}
