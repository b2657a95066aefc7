/** How books, prices and markets are read from the venue over REST. */
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Logger } from 'pino';
import type { Timers } from '../../../platform/runtime/runtime.ts';

/** What the venue takes in one call about books, prices or markets. */
const TOKENS_PER_CALL = 100;

/** Keeps long series of calls at half of what the venue allows: 500 in 10 seconds. */
const CALL_SPACING_MS = 40;

/** Hands the items on in chunks, one after the other and not faster than the venue wants to be asked. */
export async function inChunks<Item>(
  timers: Timers,
  items: readonly Item[],
  work: (chunk: Item[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += TOKENS_PER_CALL) {
    if (start > 0) await new Promise<void>((resolve) => timers.after(CALL_SPACING_MS, resolve));
    await work(items.slice(start, start + TOKENS_PER_CALL));
  }
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
