import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';

/** The positions that need live books, and the tokens that are subscribed to for them. */
export type WatchList = {
  add: (positions: readonly Position[]) => void;
  /** Compares by identity: pass the objects that were added. */
  remove: (positions: readonly Position[]) => void;
  /** Looks up the tokens of positions in these markets again, as a market has been loaded or has given its outcomes other tokens. */
  resolve: (marketIds: readonly MarketId[]) => void;
  watches: (marketId: MarketId) => boolean;
  watchesToken: (tokenId: TokenId) => boolean;
  marketIds: () => string[];
  tokenIds: () => string[];
};

/** `onAdd`: their first position wants these tokens. `onRemove`: their last position has let them go. */
export type WatchListEvents = {
  tokenOf: (position: Position) => string | null;
  onAdd: (tokenIds: TokenId[]) => void;
  onRemove: (tokenIds: TokenId[]) => void;
};

export function createWatchList({ tokenOf, onAdd, onRemove }: WatchListEvents): WatchList {
  const positionsOfMarket = new Map<string, Set<Position>>();
  const tokenOfWatched = new Map<Position, string>();
  const watchersOfToken = new Map<string, number>();

  /** Counts the position towards its token, if that is known. @returns the token where no other position wants it, else null */
  const hold = (position: Position): string | null => {
    const tokenId = tokenOfWatched.has(position) ? null : tokenOf(position);
    if (tokenId === null) return null;
    const watchers = watchersOfToken.get(tokenId) ?? 0;
    tokenOfWatched.set(position, tokenId);
    watchersOfToken.set(tokenId, watchers + 1);
    return watchers === 0 ? tokenId : null;
  };
  /** @returns the token where no position wants it any longer, else null */
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
