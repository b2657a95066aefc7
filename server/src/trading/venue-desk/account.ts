import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { passedForAll } from '../../platform/runtime/clock.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';

const REFRESH_MS = 5000;
/** A balance this old is still used when the venue does not answer. */
const HOLDS_MS = 15_000;

/**
 * How old a reading may be for who decides by it, and for who only looks: however many do, the venue is asked no more often.
 * Spending recorded since a reading is subtracted from it, so that an old reading never lets a dollar be spent twice.
 */
export const CASH_MAX_AGE_MS = { trading: 250, display: 1000 };

/** What the account can spend, as the venue last said; null when that is not known, which refuses orders. */
export type Account = {
  reading: () => CashReading | null;
  /**
   * Asks the venue, together with callers that are asking already, unless what is known is not older than `maxAgeMs`. An answer
   * that does not come leaves what was known in force for a few seconds, then the cash is unknown.
   */
  refresh: (maxAgeMs?: number) => Promise<CashReading | null>;
  stop: () => void;
};

export function startAccount(
  runtime: Pick<Runtime, 'clock' | 'config' | 'timers' | 'log'>,
  trading: VenueTrading | null,
): Account {
  let reading: CashReading | null = null;
  let asking: Promise<CashReading | null> | null = null;
  const isWithin = (maxAgeMs: number) => {
    if (reading === null) return false;
    const ageMs = runtime.clock.now() - reading.at;
    // A clock that was set back says nothing of how old it is.
    return ageMs >= 0 && ageMs <= maxAgeMs;
  };
  const ask = async (trading: VenueTrading) => {
    const at = passedForAll(runtime);
    try {
      const { behindMs, ...shown } = await trading.cashBalance();
      reading = { ...shown, at, ...(behindMs !== undefined && { shownTo: instantFromMs(at - behindMs) }) };
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      if (!isWithin(HOLDS_MS)) reading = null;
      runtime.log.warn({ reason: error.message }, 'cash balance not read');
    }
    return reading;
  };
  const refresh = async (maxAgeMs?: number) => {
    if (trading === null) return null;
    if (maxAgeMs !== undefined && isWithin(maxAgeMs)) return reading;
    asking ??= ask(trading).finally(() => {
      asking = null;
    });
    return asking;
  };
  const stop = runtime.timers.every(REFRESH_MS, async () => void (await refresh()));
  return { reading: () => reading, refresh, stop };
}
