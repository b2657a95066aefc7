import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';

/** Which positions are wanted fed, and the tokens that are subscribed to for them. */
export type WatchList = {
  add: (positions: readonly Position[]) => void;
  /** Compares by identity: pass the objects that were added. */
  remove: (positions: readonly Position[]) => void;
  /** Looks again for the tokens of positions whose markets have just become known, or say otherwise which token is which. */
  resolve: (marketIds: readonly MarketId[]) => void;
  watches: (marketId: MarketId) => boolean;
  watchesToken: (tokenId: TokenId) => boolean;
  marketIds: () => string[];
  tokenIds: () => string[];
};

export type WatchListEvents = {
  tokenOf: (position: Position) => string | null;
  onAdd: (tokenIds: TokenId[]) => void;
  onRemove: (tokenIds: TokenId[]) => void;
};

export function createWatchList({ tokenOf, onAdd, onRemove }: WatchListEvents): WatchList {
  const positionsOfMarket = new Map<string, Set<Position>>();
  const tokenOfWatched = new Map<Position, string>();
  const watchersOfToken = new Map<string, number>();

  /** Counts the position towards its token, if that is known; answers the token when it is the first to want it. */
  const hold = (position: Position): string | null => {
    const tokenId = tokenOfWatched.has(position) ? null : tokenOf(position);
    if (tokenId === null) return null;
    const watchers = watchersOfToken.get(tokenId) ?? 0;
    tokenOfWatched.set(position, tokenId);
    watchersOfToken.set(tokenId, watchers + 1);
    return watchers === 0 ? tokenId : null;
  };
  const letGo = (position: Position): string | null => {
    const tokenId = tokenOfWatched.get(position);
    if (tokenId === undefined) return null;
    tokenOfWatched.delete(position);
    const watchers = (watchersOfToken.get(tokenId) ?? 1) - 1;
    if (watchers > 0) watchersOfToken.set(tokenId, watchers);
    else watchersOfToken.delete(tokenId);
    return watchers > 0 ? null : tokenId;
  };
  const announce = (tokenIds: (string | null)[], publish: (tokenIds: TokenId[]) => void) => {
    const known = tokenIds.filter((tokenId) => tokenId !== null);
    if (known.length > 0) publish(known);
  };

  return {
    add: (positions) => {
      for (const position of positions) {
        const others = positionsOfMarket.get(position.marketId);
        if (others) others.add(position);
        else positionsOfMarket.set(position.marketId, new Set([position]));
      }
      announce(positions.map(hold), onAdd);
    },
    remove: (positions) => {
      for (const position of positions) {
        const others = positionsOfMarket.get(position.marketId);
        others?.delete(position);
        if (others?.size === 0) positionsOfMarket.delete(position.marketId);
      }
      announce(positions.map(letGo), onRemove);
    },
    resolve: (marketIds) => {
      const positions = marketIds.flatMap((id) => [...(positionsOfMarket.get(id) ?? [])]);
      const moved = positions.filter((position) => (tokenOfWatched.get(position) ?? null) !== tokenOf(position));
      announce(moved.map(letGo), onRemove);
      announce(moved.map(hold), onAdd);
    },
    watches: (marketId) => positionsOfMarket.has(marketId),
    watchesToken: (tokenId) => watchersOfToken.has(tokenId),
    marketIds: () => [...positionsOfMarket.keys()],
    tokenIds: () => [...watchersOfToken.keys()],
  };
}
