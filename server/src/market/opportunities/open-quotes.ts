import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { TooMany } from '../../platform/http/errors.ts';
import type { LiveQuote, Quotes } from '../markets/live-quotes.ts';
import { positionsOf } from './identity.ts';
import type { LivePrices } from './live-prices.ts';
import type { StoredOpportunity } from './store.ts';

type Needed = { quotes: Pick<Quotes, 'fresh'>; live: Pick<LivePrices, 'open'> };

/**
 * Quotes for a user who opens an opportunity: from the feed, which follows it from now on. One that was not followed
 * before is asked for, which `countQuestion` may refuse, and where the venue does not answer its positions are shown without prices.
 */
export async function quotesForReading(
  { quotes, live }: Needed,
  row: StoredOpportunity,
  countQuestion: () => void,
): Promise<LiveQuote[]> {
  const known = live.open(row);
  if (known.isComplete) return known.quotes;
  countQuestion();
  try {
    return await quotes.fresh(positionsOf(row.marketCombinations), 'display');
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return known.quotes;
  }
}

/** The quotes in the answer to a change: served also to a caller whose budget of venue questions is used up. */
export async function quotesOnceChanged(
  needed: Needed,
  row: StoredOpportunity,
  countQuestion: () => void,
): Promise<LiveQuote[]> {
  try {
    return await quotesForReading(needed, row, countQuestion);
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    return needed.live.open(row).quotes;
  }
}
