import { elapsedMs } from '@dutchbook/units/instant.ts';
import { type Venue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { World } from '../world/world.ts';

const ASK_EVERY_MS = 10_000;
const WARN_ABOVE_MS = 2000;
/** The venue tells whole seconds, so its time is on average half a second later than it says. */
const HALF_A_SECOND_MS = 500;

/** How far the venue's clock is ahead of this machine's, to about a second; null while the venue has not said. */
export type ClockSkew = { currentMs: () => number | null; stop: () => void };

export async function followClockSkew(
  { clock, timers, log }: Pick<World, 'clock' | 'timers' | 'log'>,
  venue: Pick<Venue, 'serverTime'>,
): Promise<ClockSkew> {
  let skewMs: number | null = null;
  const ask = async () => {
    const before = clock.now();
    try {
      const told = await venue.serverTime();
      const tookMs = elapsedMs(before, clock.now());
      skewMs = elapsedMs(before, told) + HALF_A_SECOND_MS - tookMs / 2;
      if (Math.abs(skewMs) > WARN_ABOVE_MS) log.warn({ skewMs }, "this machine's clock and the venue's disagree");
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
    }
  };
  await ask();
  return { currentMs: () => skewMs, stop: timers.every(ASK_EVERY_MS, ask) };
}
