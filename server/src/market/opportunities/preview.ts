import type { opportunityCreate } from '@dutchbook/contract/opportunities.ts';
import type { Preview } from '@dutchbook/contract/valuation.ts';
import { quotesCoverOnlyListed } from '@dutchbook/engine/opportunity/augmented.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { worstResolution } from '@dutchbook/engine/opportunity/resolution.ts';
import { valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { pricingSettings } from '../../people/system-settings/in-units.ts';
import { VenueSilent } from '../../platform/http/errors.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import type { LiveQuote, Quotes } from '../markets/live-quotes.ts';
import { draftOf } from './draft.ts';
import { positionsOf } from './identity.ts';
import { flagsOf, presentQuotes } from './present.ts';
import type { OpportunityParts } from './serve.ts';
import { opportunities } from './table.ts';

type Previewed = Pick<z.output<typeof opportunityCreate>, 'market_combinations' | 'target_price'>;

const UNPRICED = { current_price: null, fees_per_set: null, profit_percentage: null, max_profitable_size: null };

/** Values positions as an opportunity, by fresh books; nothing is stored or followed. */
export async function previewOf(
  { runtime, quotes, settings }: Pick<OpportunityParts, 'runtime' | 'quotes' | 'settings'>,
  input: Previewed,
): Promise<Preview> {
  const result = draftOf({ ...input, active: true });
  if (result.kind === 'refused') return refused(input, result.reason);
  const { marketCombinations, targetPrice, contentHash } = result.draft;
  const duplicateOf = await idOfHash(runtime.db, contentHash);
  const { asked, silence } = await ask(quotes, positionsOf(marketCombinations));
  const pricing = pricingSettings(settings.current());
  const value = valueOpportunity(asked, targetPrice, pricing);
  const isPriced = value.kind === 'valued' && silence === null;
  return {
    ...UNPRICED,
    ...presentQuotes(asked, targetPrice, pricing),
    target_price: targetPrice,
    ...(isPriced
      ? { current_price: value.currentPrice, fees_per_set: value.feesPerSet, profit_percentage: value.profitPct }
      : { max_profitable_size: null }),
    flags: flagsOf(isPriced ? value.profitPct : null, {
      augmentedEvent: quotesCoverOnlyListed(asked),
      resolution: worstResolution(asked.map(({ market }) => market)),
    }),
    error: silence ?? (value.kind === 'unpriced' ? value.reason : null),
    duplicate_of: duplicateOf,
  };
}

function refused({ target_price: targetPrice = PRICE_ONE }: Previewed, error: string): Preview {
  return { ...UNPRICED, target_price: targetPrice, positions: [], flags: [], error, duplicate_of: null };
}

/** While the venue is silent, what is known of the positions stands for what it would have said; `silence` says so. */
async function ask(
  quotes: Quotes,
  positions: readonly Position[],
): Promise<{ asked: LiveQuote[]; silence: string | null }> {
  try {
    return { asked: await quotes.fresh(positions, 'display'), silence: null };
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return { asked: quotes.current(positions), silence: new VenueSilent(error).message };
  }
}

async function idOfHash(db: Db, hash: string): Promise<string | null> {
  const [row] = await db
    .select({ id: opportunities.id })
    .from(opportunities)
    .where(eq(opportunities.contentHash, hash));
  return row?.id ?? null;
}
