/** A venue whose ids are written as another's: what a test of two venues has for the second. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import { idAt, type VenueName, withoutVenue } from '@dutchbook/units/ids.ts';
import type { MarketStreamEvents, Venue } from './venue.ts';
import type { VenueReads } from './venues.ts';

export function prefixed(name: VenueName, venue: Venue): VenueReads {
  const { catalogue, prices } = venue;
  const id = (own: string) => idAt(name, own);
  const named = (market: Market): Market => ({
    ...market,
    id: id(market.id),
    event: market.event && { ...market.event, id: id(market.event.id), marketIds: market.event.marketIds.map(id) },
    outcomes: market.outcomes.map((outcome) => ({ ...outcome, tokenId: id(outcome.tokenId) })),
  });
  const namedEvent = (event: CatalogueEvent): CatalogueEvent => ({
    ...event,
    id: id(event.id),
    members: event.members.map((member) => ({
      ...member,
      marketId: id(member.marketId),
      tokenIds: member.tokenIds.map(id),
    })),
  });
  const own = (ids: readonly string[]) => ids.map(withoutVenue);
  return {
    names: [name],
    catalogue: {
      searchMarkets: async ({ event, ...query }) => {
        const asked = event === undefined ? query : { ...query, event: withoutVenue(event) };
        const { data, count } = await catalogue.searchMarkets(asked);
        return { data: data.map(named), count };
      },
      searchLeftOut: async () => ({ data: [], count: 0 }),
      marketsById: async (ids, priority) => {
        const found = await catalogue.marketsById(own(ids), priority);
        return new Map([...found.values()].map((market) => [id(market.id), named(market)]));
      },
      onCompared: (listener) => catalogue.onCompared((markets) => listener(markets.map(named))),
      whyLeftOut: (marketId) => catalogue.whyLeftOut(withoutVenue(marketId)),
      readEvents: async function* (cursor) {
        for await (const page of catalogue.readEvents(cursor)) yield { ...page, events: page.events.map(namedEvent) };
      },
      eventsById: async (ids, priority) => (await catalogue.eventsById(own(ids), priority)).map(namedEvent),
    },
    prices: {
      fetchBooks: async (tokenIds, priority) => {
        const found = await prices.fetchBooks(own(tokenIds), priority);
        return new Map([...found].map(([tokenId, book]) => [id(tokenId), { ...book, tokenId: id(tokenId) }]));
      },
      fetchQuotes: async (tokenIds, priority) => {
        const found = await prices.fetchQuotes(own(tokenIds), priority);
        return new Map([...found].map(([tokenId, quote]) => [id(tokenId), { ...quote, tokenId: id(tokenId) }]));
      },
    },
    openMarketStream: (events) => {
      const stream = venue.openMarketStream(prefixedEvents(events, id));
      return {
        subscribe: (tokenIds) => stream.subscribe(own(tokenIds)),
        unsubscribe: (tokenIds) => stream.unsubscribe(own(tokenIds)),
        book: (tokenId) => stream.book(withoutVenue(tokenId)),
        isConnected: (tokenId) => stream.isConnected(withoutVenue(tokenId)),
        health: () => stream.health(),
        close: () => stream.close(),
      };
    },
    forget: () => venue.forget(),
  };
}

function prefixedEvents(events: MarketStreamEvents, id: (own: string) => string): MarketStreamEvents {
  return {
    onBooks: (tokenIds) => events.onBooks(tokenIds.map(id)),
    onTrust: (tokenIds, trust) => events.onTrust(tokenIds.map(id), trust),
    onTick: (tokenId, tick) => events.onTick(id(tokenId), tick),
    onResolved: (marketId, winner) => events.onResolved(id(marketId), id(winner)),
  };
}
