import { isStreamed } from '@dutchbook/engine/desk/quote.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import type { LiveQuote, Quotes } from '../../markets/live-quotes.ts';

/**
 * The stream's books when every one of them is healthy, else books asked for now. That a market takes orders does not come
 * over the stream, so it is asked either way. Throws VenueUnavailable.
 */
export async function verifiedQuotes(
  { quotes, catalogue }: { quotes: Quotes; catalogue: Pick<VenueCatalogue, 'marketsById'> },
  positions: readonly Position[],
  priority?: ReadPriority,
): Promise<LiveQuote[]> {
  if (!areAllStreamed(quotes.current(positions), positions)) return await quotes.fresh(positions, priority);
  const markets = await catalogue.marketsById([...new Set(positions.map(({ marketId }) => marketId))], priority);
  // The answer may have taken long.
  const current = quotes.current(positions);
  if (!areAllStreamed(current, positions)) return await quotes.fresh(positions, priority);
  return current.map((quote) => ({ ...quote, market: knownClosed(quote) ?? markets.get(quote.marketId) }));
}

/**
 * The quotes with the trust that the feed has in their books now: books of the stream change while
 * something else is waited for, and so may the trust in them.
 */
export function stillVerified(quotes: Quotes, quoted: readonly LiveQuote[]): LiveQuote[] {
  const current = quotes.current(quoted);
  return quoted.map((quote, index) => {
    const { feed, bookAgeMs } = current[index] ?? quote;
    return isStreamed(quote) ? { ...quote, feed, bookAgeMs } : quote;
  });
}

function areAllStreamed(current: readonly LiveQuote[], positions: readonly Position[]): boolean {
  return current.length === positions.length && current.every((quote) => isStreamed(quote) && quote.market);
}

/** The stream says first that a market has resolved; the catalogue may say so minutes later. */
function knownClosed({ market }: LiveQuote): Market | undefined {
  return market?.closed ? market : undefined;
}
