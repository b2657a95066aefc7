import type { Tick } from '@dutchbook/units/price.ts';

/**
 * The newest tick size known of each token. A market's grid becomes finer near 0 and 1 while it trades; the stream and
 * the books say so at once, the catalogue later, and an order signed on the old grid is refused.
 */
export type Ticks = {
  of(tokenId: string): Tick | undefined;
  set(tokenId: string, tick: Tick): void;
  forget(): void;
};

export function createTicks(): Ticks {
  const ticks = new Map<string, Tick>();
  return {
    of: (tokenId) => ticks.get(tokenId),
    set: (tokenId, tick) => void ticks.set(tokenId, tick),
    forget: () => ticks.clear(),
  };
}
