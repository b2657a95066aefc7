import type { Market, ResolutionStatus } from '../market/market.ts';

/** The worst among markets: what waits for the last of them waits for a dispute. */
export function worstResolution(markets: readonly (Pick<Market, 'resolution'> | undefined)[]): ResolutionStatus | null {
  const all = markets.map((market) => market?.resolution ?? null);
  if (all.includes('disputed')) return 'disputed';
  return all.includes('proposed') ? 'proposed' : null;
}
