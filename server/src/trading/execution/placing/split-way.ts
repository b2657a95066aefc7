/** Whether an opportunity can be had by a split, as the venue and its contracts are now. */
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { Blocker } from '@dutchbook/engine/risk/context.ts';
import { eventOfSplit, type SplitWay, splitWay } from '@dutchbook/engine/split/way-in.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import type { StoredOpportunity } from '../../../market/opportunities/store.ts';
import type { OrderPriority } from '../../../platform/http/order-priority.ts';
import { type Desks, desksOfAll, type VenueDesk } from '../../venue-desk/desks.ts';

type SplitParts = {
  catalogue: Pick<VenueCatalogue, 'eventsById'>;
  desks: Pick<Desks<Pick<VenueDesk, 'name' | 'chain'>>, 'all'>;
};

/** Null where it cannot. Throws VenueUnavailable. */
export async function splitWayNow(
  { catalogue, desks }: SplitParts,
  quotes: readonly LiveQuote[],
  { targetPrice }: Pick<StoredOpportunity, 'targetPrice'>,
  priority: OrderPriority,
): Promise<SplitWay | null> {
  const [only, ...others] = desksOfAll(desks, quotes);
  if (only?.chain == null || others.length > 0) return null;
  const eventId = eventOfSplit(quotes);
  const [event = null] = eventId === null ? [] : await catalogue.eventsById([eventId], priority);
  return splitWay(quotes, targetPrice, event);
}

/** Gates that apply to splits only. */
export function splitBlockers(way: SplitWay | null, settings: Settings): Blocker[] {
  const refused = (message: string): Blocker => ({ gate: 'split', message, actual: null, required: null });
  return [
    ...(way === null ? [refused(NO_WAY)] : []),
    ...(settings.ORDER_SIMULATION_ENABLED ? [refused('orders are only simulated, and no split is')] : []),
  ];
}

const NO_WAY =
  'a dollar cannot be split into what its positions are not: that takes both outcomes of one market, or the second outcome of every member of an event that the contract holds as a whole, at the target price that this proves';
