/** A venue whose ids are written as another's: what a test of two venues has for the second. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import { idAt, type VenueName, withoutVenue } from '@dutchbook/units/ids.ts';
import type { MarketStreamEvents, Venue, VenueTrading } from './venue.ts';

export function prefixed(name: VenueName, venue: Venue): Venue {
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
      listed: (marketId) => {
        const known = catalogue.listed?.(withoutVenue(marketId)) ?? null;
        return known && { ...known, market: named(known.market) };
      },
      newestMarkets: async (skip) =>
        ((await catalogue.newestMarkets?.(skip)) ?? []).map(({ marketId, eventId }) => ({
          marketId: id(marketId),
          eventId: id(eventId),
        })),
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
    trading: venue.trading && prefixedTrading(venue.trading, id),
    chain: null,
    serverTime: venue.serverTime,
    openUserStream: (events) =>
      venue.openUserStream({
        onOrder: (order) => events.onOrder(ofOrder(order, id)),
        onFill: (fill) => events.onFill(ofOrder(fill, id)),
        onReconnect: events.onReconnect,
      }),
    forget: () => venue.forget(),
    close: () => venue.close(),
  };
}

/** An order or a trade, as the other venue names it. */
function ofOrder<Of extends { orderHash: string; tokenId: string; marketId?: string | null }>(
  order: Of,
  id: (own: string) => string,
): Of {
  const { orderHash, tokenId, marketId } = order;
  const at = marketId == null ? {} : { marketId: id(marketId) };
  return { ...order, ...at, orderHash: id(orderHash), tokenId: id(tokenId) };
}

function prefixedTrading(trading: VenueTrading, id: (own: string) => string): VenueTrading {
  const hashed = <Of extends { orderHash: string }>(of: Of): Of => ({ ...of, orderHash: id(of.orderHash) });
  return {
    pace: trading.pace,
    heartbeat: () => trading.heartbeat(),
    signOrder: async (request) => {
      const market = { ...request.market, id: withoutVenue(request.market.id) };
      const outcomes = market.outcomes.map((each) => ({ ...each, tokenId: withoutVenue(each.tokenId) }));
      const tokenId = withoutVenue(request.tokenId);
      return hashed(await trading.signOrder({ ...request, tokenId, market: { ...market, outcomes } }));
    },
    postOrders: async (orders) => {
      const own = orders.map((order) => ({ ...order, orderHash: withoutVenue(order.orderHash) }));
      const outcomes = await trading.postOrders(own);
      return outcomes.map((outcome) => (outcome.kind === 'accepted' ? hashed(outcome) : outcome));
    },
    cancelOrders: async (hashes) => (await trading.cancelOrders(hashes.map(withoutVenue))).map(hashed),
    lookupOrder: async (orderHash, marketId) => {
      const lookup = await trading.lookupOrder(withoutVenue(orderHash), marketId && withoutVenue(marketId));
      return lookup.kind === 'found' ? { ...lookup, order: ofOrder(lookup.order, id) } : lookup;
    },
    openOrders: async () => (await trading.openOrders()).map((order) => ofOrder(order, id)),
    fillsOfOrder: async (orderHash, marketId, feeRate) => {
      const fills = await trading.fillsOfOrder(withoutVenue(orderHash), withoutVenue(marketId), feeRate);
      return fills.map((fill) => ofOrder(fill, id));
    },
    fillsSince: async (since) => {
      const { fills, unreadable } = await trading.fillsSince(since);
      return { fills: fills.map((fill) => ofOrder(fill, id)), unreadable: unreadable.map(id) };
    },
    unreadableTrades: () => trading.unreadableTrades(),
    cashBalance: () => trading.cashBalance(),
    holding: (tokenId, priority) => trading.holding(withoutVenue(tokenId), priority),
    refreshHoldings: (tokenIds) => trading.refreshHoldings(tokenIds.map(withoutVenue)),
    positions: async (priority) => {
      const positions = await trading.positions(priority);
      return positions.map((of) => ({ ...of, marketId: id(of.marketId), tokenId: id(of.tokenId) }));
    },
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
