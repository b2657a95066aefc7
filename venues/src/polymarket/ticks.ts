import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Tick } from '@dutchbook/units/price.ts';

/**
 * The newest tick size known of each token. A market's grid becomes finer near 0 and 1 while it trades; the stream and
 * the books say so at once, the catalogue later, and an order signed on the old grid is refused.
 */
export type Ticks = {
  of(tokenId: TokenId): Tick | undefined;
  /** When it was last seen to change; null where it was not. */
  movedAt(tokenId: TokenId): Instant | null;
  set(tokenId: TokenId, tick: Tick): void;
  forget(): void;
};

export function createTicks(now: () => Instant): Ticks {
  const ticks = new Map<string, Tick>();
  const moves = new Map<string, Instant>();
  return {
    of: (tokenId) => ticks.get(tokenId),
    movedAt: (tokenId) => moves.get(tokenId) ?? null,
    set: (tokenId, tick) => {
      const before = ticks.get(tokenId);
      if (before !== undefined && before !== tick) moves.set(tokenId, now());
      ticks.set(tokenId, tick);
    },
    forget: () => {
      ticks.clear();
      moves.clear();
    },
  };
}
