import { elapsedMs } from '@dutchbook/units/instant.ts';
import { type Venue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';

const CHECK_EVERY_MS = 1000;
const POLL_EVERY_CHECKS = 10;
const WARN_ABOVE_MS = 2000;
/** The venue tells whole seconds, so its time is on average half a second later than it says. */
const HALF_A_SECOND_MS = 500;

/** How far the venue's clock is ahead of this machine's, to about a second; null while the venue has not said. */
export type ClockSkew = { currentMs: () => number | null; stop: () => void };

export async function followClockSkew(
  { clock, timers, log }: Pick<Runtime, 'clock' | 'timers' | 'log'>,
  venue: Pick<Venue, 'serverTime'>,
): Promise<ClockSkew> {
  let skewMs: number | null = null;
  let checks = 0;
  const isOff = () => skewMs !== null && Math.abs(skewMs) > WARN_ABOVE_MS;
  const ask = async () => {
    const before = clock.now();
    try {
      const reported = await venue.serverTime();
      const tookMs = elapsedMs(before, clock.now());
      skewMs = elapsedMs(before, reported) + HALF_A_SECOND_MS - tookMs / 2;
      if (isOff()) log.warn({ skewMs }, 'machine clock and venue clock disagree');
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
    }
  };
  await ask();
  const check = async () => {
    checks += 1;
    // A skew that refuses orders is measured again at every check: one of the clocks may have been moved meanwhile.
    if (checks % POLL_EVERY_CHECKS === 0 || isOff()) await ask();
  };
  return { currentMs: () => skewMs, stop: timers.every(CHECK_EVERY_MS, check) };
}
