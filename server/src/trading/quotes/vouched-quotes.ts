import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import type { Quotes, TrustedQuote } from '../../parts.ts';
import { isStreamed } from './trusted-quote.ts';

/**
 * The stream's books when every one of them is healthy, else books asked for now. Whether a market takes orders does not
 * come over the stream, so that is asked either way. Throws VenueUnavailable.
 */
export async function vouchedQuotes(
  { quotes, catalogue }: { quotes: Quotes; catalogue: Pick<VenueCatalogue, 'marketsById'> },
  positions: readonly Position[],
): Promise<TrustedQuote[]> {
  const current = quotes.current(positions);
  const isVouched = current.length === positions.length && current.every((quote) => isStreamed(quote) && quote.market);
  if (!isVouched) return await quotes.fresh(positions);
  const markets = await catalogue.marketsById([...new Set(positions.map(({ marketId }) => marketId))]);
  return current.map((quote) => ({ ...quote, market: markets.get(quote.marketId) }));
}
