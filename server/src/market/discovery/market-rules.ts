/** Rules of markets: from the catalogue, else from the venue. */
import { listMarketRules, type MarketRulesReply } from '@dutchbook/contract/markets.ts';
import { modeOf } from '@dutchbook/contract/status.ts';
import { type CatalogueEvent, rulesOf } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { EventId, MarketId } from '@dutchbook/units/ids.ts';
import { type VenueCatalogue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { inArray } from 'drizzle-orm';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { catalogueEvents, catalogueMarkets } from './table.ts';

type Catalogue = Pick<VenueCatalogue, 'marketsById' | 'eventsById' | 'pageOf'>;

export function registerMarketRules(app: App, { dbFor, config }: Runtime, catalogue: Catalogue): void {
  const hasPages = modeOf(config.venueMode).world !== 'simulated';

  route(app, listMarketRules, async ({ query, countQuestion }) => {
    const ids = [...new Set(query.market_ids)] as MarketId[];
    const stored = rowsOf(ids, await eventsOfMarkets(dbFor.lists, ids));
    const missing = ids.filter((id) => !stored.has(id));
    if (missing.length > 0) countQuestion();
    const asked = missing.length === 0 ? stored : rowsOf(missing, await askVenue(catalogue, missing));
    return { data: ids.flatMap((id) => stored.get(id) ?? asked.get(id) ?? []) };
  });

  function rowsOf(ids: readonly MarketId[], events: readonly CatalogueEvent[]): Map<MarketId, MarketRulesReply> {
    const wanted = new Set(ids);
    const rows = events.flatMap((event) =>
      event.members
        .filter(({ marketId }) => wanted.has(marketId))
        .map((member) => ({
          market_id: member.marketId,
          page: hasPages ? (catalogue.pageOf?.(event, member) ?? null) : null,
          rules: rulesOf(member),
          resolution_source: member.resolutionSource,
        })),
    );
    return new Map(rows.map((row) => [row.market_id, row]));
  }
}

async function eventsOfMarkets(db: Db, ids: readonly MarketId[]): Promise<CatalogueEvent[]> {
  const eventIds = db
    .select({ id: catalogueMarkets.eventId })
    .from(catalogueMarkets)
    .where(inArray(catalogueMarkets.id, [...ids]));
  const rows = await db
    .select({ event: catalogueEvents.event })
    .from(catalogueEvents)
    .where(inArray(catalogueEvents.id, eventIds));
  return rows.map(({ event }) => event);
}

/** Nothing where the venue does not answer: rules are shown beside what works without them. */
async function askVenue(catalogue: Catalogue, ids: readonly MarketId[]): Promise<CatalogueEvent[]> {
  try {
    const markets = [...(await catalogue.marketsById(ids, 'display')).values()];
    const eventIds: EventId[] = [...new Set(markets.flatMap(({ event }) => event?.id ?? []))];
    return eventIds.length === 0 ? [] : await catalogue.eventsById(eventIds, 'display');
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return [];
  }
}
