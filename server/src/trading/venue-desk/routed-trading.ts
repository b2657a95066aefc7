/** The calls that carry out orders, each made at the venue that its ids name. */
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Pace } from '@dutchbook/venues/pace.ts';
import { type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Desks, VenueDesk } from './desks.ts';

type TradingDesk = Pick<VenueDesk, 'name' | 'trading'>;

export type RoutedTrading = Pick<
  VenueTrading,
  'signOrder' | 'postOrders' | 'cancelOrders' | 'lookupOrder' | 'fillsOfOrder' | 'holding'
> & { paceOf: (venue: VenueName) => Pace };

export function routedTrading(desks: Pick<Desks<TradingDesk>, 'at'>): RoutedTrading {
  const at = (venue: VenueName): VenueTrading => {
    const { trading } = desks.at(venue);
    if (trading === null) throw new VenueUnavailable('the venue is read only: it has no private key');
    return trading;
  };
  const of = (id: string) => at(venueOf(id));
  return {
    paceOf: (venue) => at(venue).pace,
    signOrder: async (request) => await of(request.tokenId).signOrder(request),
    postOrders: (orders) =>
      byVenue(
        orders,
        ({ orderHash }) => orderHash,
        (venue, some) => at(venue).postOrders(some),
      ),
    cancelOrders: (hashes) =>
      byVenue(
        hashes,
        (orderHash) => orderHash,
        (venue, some) => at(venue).cancelOrders(some),
      ),
    lookupOrder: async (orderHash, marketId) => await of(orderHash).lookupOrder(orderHash, marketId),
    fillsOfOrder: async (orderHash, ...about) => await of(orderHash).fillsOfOrder(orderHash, ...about),
    holding: async (tokenId, priority) => await of(tokenId).holding(tokenId, priority),
  };
}

/** Calls each venue at the same time; the answers are in the order of `all`. */
async function byVenue<Item, Answer>(
  all: readonly Item[],
  idOf: (item: Item) => string,
  call: (venue: VenueName, some: readonly Item[]) => Promise<Answer[]>,
): Promise<Answer[]> {
  const groups = Map.groupBy(all.keys(), (place) => venueOf(idOf(all[place] as Item)));
  const answers: Answer[] = [];
  const called = [...groups].map(async ([venue, places]) => {
    const some = await call(
      venue,
      places.map((place) => all[place] as Item),
    );
    for (const [nth, place] of places.entries()) answers[place] = some[nth] as Answer;
  });
  await Promise.all(called);
  return answers;
}
