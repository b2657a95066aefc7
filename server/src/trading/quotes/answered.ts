import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Logger } from 'pino';

/** Whether the venue answered. Its silence is logged and concludes nothing; every other error goes on. */
export async function answered(log: Logger, what: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    log.warn({ reason: error.message }, `the venue did not answer for ${what}`);
    return false;
  }
}
