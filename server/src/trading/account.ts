import type { Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { passedForAll } from '../world/clock.ts';
import type { World } from '../world/world.ts';

const REFRESH_MS = 5000;

/** Cash as the venue told it; everything that happened before `at` is in it. */
export type CashReading = { cash: Usd; at: Instant };

/** What the account can spend, as last heard from the venue; null when that is not known, which refuses orders. */
export type Account = {
  reading: () => CashReading | null;
  /** Asks the venue now. An answer that does not come leaves the cash unknown. */
  refresh: () => Promise<CashReading | null>;
  stop: () => void;
};

export function startAccount(
  world: Pick<World, 'clock' | 'config' | 'timers' | 'log'>,
  trading: VenueTrading | null,
): Account {
  let reading: CashReading | null = null;
  const refresh = async () => {
    if (trading === null) return null;
    const at = passedForAll(world);
    try {
      reading = { cash: await trading.cashBalance(), at };
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      reading = null;
      world.log.warn({ reason: error.message }, 'the cash balance is unknown');
    }
    return reading;
  };
  const stop = world.timers.every(REFRESH_MS, async () => void (await refresh()));
  return { reading: () => reading, refresh, stop };
}
