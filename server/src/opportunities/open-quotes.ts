import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Quotes, TrustedQuote } from '../parts.ts';
import type { LivePrices } from '../trading/prices/live-prices.ts';
import { positionsOf } from './identity.ts';
import type { StoredOpportunity } from './store.ts';

type Needed = { quotes: Pick<Quotes, 'fresh'>; live: Pick<LivePrices, 'look'> };

/**
 * Quotes for somebody who opens an opportunity: from the feed, which follows it from now on. One that nobody followed
 * before is asked for, and where the venue does not answer its positions are shown without prices.
 */
export async function quotesForReading({ quotes, live }: Needed, row: StoredOpportunity): Promise<TrustedQuote[]> {
  const known = live.look(row);
  if (known.isComplete) return known.quotes;
  try {
    return await quotes.fresh(positionsOf(row.marketCombinations));
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return known.quotes;
  }
}
