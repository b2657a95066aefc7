/** The parts of the opportunity calls, and their answer. */

import type { Opportunity } from '@dutchbook/contract/opportunities.ts';
import type { Depth } from '@dutchbook/contract/valuation.ts';
import type { MeasuredSurvival } from '@dutchbook/engine/order/survival.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import type { SystemSettings } from '../../people/system-settings/watched-settings.ts';
import { NotFound } from '../../platform/http/errors.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import type { LiveQuote, Quotes } from '../markets/live-quotes.ts';
import type { MayBeFound } from './edit.ts';
import type { BlockersOf, LivePrices } from './live-prices.ts';
import { presentOpportunity } from './present.ts';
import { type ActiveBatchOf, readOpportunity, type StoredOpportunity } from './store.ts';

export type OpportunityParts = {
  runtime: Runtime;
  settings: SystemSettings;
  stream: StreamHub;
  quotes: Quotes;
  live: LivePrices;
  jobs: Jobs;
  blockersOf: BlockersOf;
  activeBatchOf: ActiveBatchOf;
  mayBeFound: MayBeFound;
  catalogue: Pick<VenueCatalogue, 'references'>;
  /** Measured survival of displayed depth; left out where nothing was measured. */
  survival?: () => MeasuredSurvival;
  sizesBy?: SizesBy;
};

/** Which sizes an order of a user would have by these quotes, without asking the venue. */
export type SizesBy = (
  opportunity: StoredOpportunity,
  quotes: readonly LiveQuote[],
  userId: string,
) => Promise<Pick<Depth, 'order_size' | 'chosen_size'>>;

/** The row with its live prices, its quotes and the refusing gates. */
export async function detailOf(
  { live, settings, blockersOf }: Pick<OpportunityParts, 'live' | 'settings' | 'blockersOf'>,
  row: StoredOpportunity,
  quotes: readonly LiveQuote[],
): Promise<Opportunity> {
  const [now = row] = live.rowsNow([row]);
  return presentOpportunity(now, quotes, settings.current(), await blockersOf(now, quotes));
}

export async function opportunityOr404({ db }: Pick<Runtime, 'db'>, id: string): Promise<StoredOpportunity> {
  const row = await readOpportunity(db, id);
  if (row === null) throw new NotFound('Opportunity not found');
  return row;
}
