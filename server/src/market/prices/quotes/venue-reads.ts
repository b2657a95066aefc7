/** How books, prices and markets are read from the venues over REST. */
import type { VenueId } from '@dutchbook/units/ids.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { byVenue } from '@dutchbook/venues/venues.ts';
import type { Logger } from 'pino';
import type { Timers } from '../../../platform/runtime/runtime.ts';

/** Most tokens that the venue takes in one call about books, prices or markets. */
const TOKENS_PER_CALL = 100;

/** Keeps long series of calls at half of what the venue allows: 500 in 10 seconds. */
const CALL_SPACING_MS = 40;

/**
 * Hands ids on in chunks of one venue each, of a venue one after the other and not faster than it wants to be asked. Where one
 * venue fails, those of the others are handed on all the same before it throws.
 */
export async function inChunks<Id extends VenueId>(
  timers: Timers,
  ids: readonly Id[],
  work: (chunk: Id[]) => Promise<void>,
): Promise<void> {
  const done = await Promise.allSettled(
    [...byVenue(ids).values()].map(async (own) => {
      for (let start = 0; start < own.length; start += TOKENS_PER_CALL) {
        if (start > 0) await new Promise<void>((resolve) => timers.after(CALL_SPACING_MS, resolve));
        await work(own.slice(start, start + TOKENS_PER_CALL));
      }
    }),
  );
  for (const each of done) if (each.status === 'rejected') throw each.reason;
}

/** Whether the venue answered. Its silence is logged and concludes nothing; every other error goes on. */
export async function answered(
  log: Logger,
  read: 'books' | 'markets' | 'quotes',
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    log.warn({ read, reason: error.message }, 'venue read not answered');
    return false;
  }
}
