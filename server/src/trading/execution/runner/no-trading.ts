import { Pace } from '@dutchbook/venues/pace.ts';
import { type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';

const refuse = () => Promise.reject(new VenueUnavailable('the venue is read only: it has no private key'));

/** Of a venue that is read only: what is only simulated asks nothing of it. */
export const NO_TRADING: VenueTrading = {
  pace: new Pace({ ordersPerSecond: 1, burst: 1 }),
  heartbeat: refuse,
  signOrder: refuse,
  postOrders: refuse,
  cancelOrders: refuse,
  lookupOrder: refuse,
  openOrders: refuse,
  fillsOfOrder: refuse,
  fillsSince: refuse,
  unreadableTrades: () => 0,
  cashBalance: refuse,
  holding: refuse,
  refreshHoldings: refuse,
  positions: refuse,
};
