/** Finds what shares of resolved markets pay. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import type { VenueCatalogue, VenuePosition } from '@dutchbook/venues/venue.ts';
import { inArray } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batchOrders } from './table.ts';

/** `resolvedValue`: what is known of it already. */
type Held = Pick<VenuePosition, 'tokenId' | 'marketId' | 'resolvedValue'>;

/**
 * Payouts by token, of resolved markets: as known before, else from what the venue lists as held, else from what it
 * says of the event. Throws VenueUnavailable.
 */
export async function resolvedValues(
  catalogue: Pick<VenueCatalogue, 'marketsById' | 'eventsById'>,
  lots: readonly Held[],
  listed: readonly (Held & Pick<VenuePosition, 'redeemable'>)[],
  priority: ReadPriority,
): Promise<Map<string, Price>> {
  const values = new Map(
    [...lots, ...listed].flatMap(({ tokenId, resolvedValue }) =>
      resolvedValue === null ? [] : [[tokenId, resolvedValue] as const],
    ),
  );
  // Shares listed as resolved without a payout are asked about; the venue lists the others as open.
  const open = listed.filter(({ redeemable }) => !redeemable);
  const reported = new Set([...open.map(({ tokenId }) => tokenId), ...values.keys()]);
  const missing = lots.filter(({ tokenId }) => !reported.has(tokenId)).map(({ marketId }) => marketId);
  if (missing.length === 0) return values;
  const markets = await catalogue.marketsById([...new Set(missing)], priority);
  const closed = [...markets.values()].filter((market) => market.closed);
  const eventIds = [...new Set(closed.flatMap(({ event }) => event?.id ?? []))];
  const events = eventIds.length === 0 ? [] : await catalogue.eventsById(eventIds, priority);
  for (const { marketId, tokenIds, resolvedValue, isProvisional } of events.flatMap(({ members }) => members)) {
    if (resolvedValue === null || isProvisional === true || !missing.includes(marketId)) continue;
    const [first = '', second = ''] = tokenIds;
    values.set(first, resolvedValue);
    values.set(second, (PRICE_ONE - resolvedValue) as Price);
  }
  return values;
}

/** The tokens among our orders' that pay nothing. @throws VenueUnavailable */
export async function worthlessTokens(
  db: Db,
  catalogue: Pick<VenueCatalogue, 'marketsById' | 'eventsById'>,
  tokenIds: readonly TokenId[],
): Promise<string[]> {
  if (tokenIds.length === 0) return [];
  const { tokenId, marketId, resolvedValue } = batchOrders;
  const orders = await db
    .selectDistinctOn([tokenId], { tokenId, marketId, resolvedValue })
    .from(batchOrders)
    .where(inArray(tokenId, [...tokenIds]))
    .orderBy(tokenId, resolvedValue);
  const values = await resolvedValues(catalogue, orders, [], 'following');
  return tokenIds.filter((id) => values.get(id) === 0);
}
