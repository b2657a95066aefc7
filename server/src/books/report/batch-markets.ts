/** What is known here of the markets that batches hold, without asking the venue. */
import type { MarketId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { eq, inArray, sql } from 'drizzle-orm';
import { catalogueEvents, catalogueMarkets } from '../../market/discovery/table.ts';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { holdersOf } from '../../trading/orders/batch-state.ts';
import type { ResultState } from './result-states.ts';

/** `event` is null where it belongs to none, `endDate` where the venue does not say. */
export type BatchMarket = { event: { id: string; title: string } | null; endDate: Instant | null };

/** Known markets by id: from the quotes, else from discovery. */
export async function marketsOfBatches(
  db: Db,
  quotes: Pick<Quotes, 'current'>,
  states: readonly ResultState[],
): Promise<Map<string, BatchMarket>> {
  const orders = states.flatMap(holdersOf);
  const markets = new Map<string, BatchMarket>();
  for (const { market } of quotes.current(orders)) {
    if (market !== undefined) markets.set(market.id, market);
  }
  const unknown = [...new Set(orders.map(({ marketId }) => marketId))].filter((id) => !markets.has(id));
  for (const { id, event, endMs } of await readCatalogue(db, unknown))
    markets.set(id, { event, endDate: endMs === null ? null : instantFromMs(endMs) });
  return markets;
}

async function readCatalogue(db: Db, marketIds: readonly MarketId[]) {
  if (marketIds.length === 0) return [];
  const endMs = sql<number | null>`(
    select (member ->> 'endDate')::bigint from jsonb_array_elements(${catalogueEvents.event} -> 'members') member
    where member ->> 'marketId' = ${catalogueMarkets.id} limit 1)`;
  return await db
    .select({
      id: catalogueMarkets.id,
      event: { id: catalogueEvents.id, title: catalogueEvents.title },
      endMs: endMs.mapWith((ms) => (ms === null ? null : Number(ms))),
    })
    .from(catalogueMarkets)
    .innerJoin(catalogueEvents, eq(catalogueEvents.id, catalogueMarkets.eventId))
    .where(inArray(catalogueMarkets.id, [...marketIds]));
}
