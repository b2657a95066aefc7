import type { TokenId } from '@dutchbook/units/ids.ts';
import type { TokenBooks } from '../../market/prices/quotes/quotes.ts';
import { openListeners } from '../../platform/runtime/listeners.ts';

/** The books of several feeds as those of one: each token once, by the first feed that has a book of it. */
export type CombinedTokens = TokenBooks & {
  /** Adds the tokens of this feed that no earlier feed has. */
  join: (tokens: TokenBooks) => void;
};

export function combineTokens(first: TokenBooks): CombinedTokens {
  const feeds = [first];
  const changed = openListeners<[tokenIds: readonly TokenId[]]>();
  first.onChange(changed.call);
  const watching = (tokenId: TokenId) => feeds.find((feed) => feed.watches(tokenId));
  return {
    ids: () => [...new Set(feeds.flatMap((feed) => feed.ids()))],
    watches: (tokenId) => watching(tokenId) !== undefined,
    held: (tokenId) => {
      for (const feed of feeds) {
        const held = feed.held(tokenId);
        if (held !== undefined) return held;
      }
      return undefined;
    },
    other: (tokenId) => {
      const feed = watching(tokenId);
      const other = feed?.other(tokenId);
      // Two feeds do not receive a change at the same moment: outcomes of both would not mirror each other after each.
      return other == null || watching(other) === feed ? other : null;
    },
    onChange: changed.add,
    join: (tokens) => {
      const before = [...feeds];
      feeds.push(tokens);
      tokens.onChange((tokenIds) => {
        const ours = tokenIds.filter((tokenId) => before.every((feed) => feed.held(tokenId) === undefined));
        if (ours.length > 0) changed.call(ours);
      });
    },
  };
}
