import type { Usd } from '@dutchbook/units/usd.ts';
import { type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { World } from '../world/world.ts';

const REFRESH_MS = 5000;

/** What the account can spend, as last heard from the venue; null when that is not known, which refuses orders. */
export type Account = {
  cash: () => Usd | null;
  /** Asks the venue now. An answer that does not come leaves the cash unknown. */
  refresh: () => Promise<Usd | null>;
  stop: () => void;
};

export function startAccount(world: Pick<World, 'timers' | 'log'>, trading: VenueTrading | null): Account {
  let cash: Usd | null = null;
  const refresh = async () => {
    if (trading === null) return null;
    try {
      cash = await trading.cashBalance();
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      cash = null;
      world.log.warn({ reason: error.message }, 'the cash balance is unknown');
    }
    return cash;
  };
  const stop = world.timers.every(REFRESH_MS, async () => void (await refresh()));
  return { cash: () => cash, refresh, stop };
}
