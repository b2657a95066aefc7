import type { OrderName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type VenueFill, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { inArray } from 'drizzle-orm';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { placedHere } from '../external-orders/store.ts';
import { fills } from '../orders/table.ts';

/** The longest that the hedge of a leg waits for a fill whose frame was lost. */
const POLL_EVERY_MS = 10_000;
/** Trades of while the product was down. */
const FIRST_POLL_BACK_MS = 24 * 3_600_000;
/** A venue can list a trade later than it was matched. */
const OVERLAP_MS = 5 * 60_000;

export type MissedFills = {
  /** Reads the trades of lately. Does nothing where the venue does not answer: the next poll reaches as far back. */
  poll: () => Promise<void>;
  stop: () => void;
};

/**
 * Polls for trades of orders placed here that are not recorded. Orders that were given up are not polled any more, nor
 * that counted as done; the stream that would tell of its trades may have been down. `onMissed` is called with its hash.
 */
export function followMissedFills(
  { db, clock, timers }: Pick<Runtime, 'db' | 'clock' | 'timers'>,
  trading: Pick<VenueTrading, 'fillsSince'>,
  onMissed: (orderHash: OrderName) => void,
): MissedFills {
  let since = (clock.now() - FIRST_POLL_BACK_MS) as Instant;

  async function poll(): Promise<void> {
    const startedAt = clock.now();
    const reported = await trading.fillsSince(since).catch((error: unknown) => {
      if (error instanceof VenueUnavailable) return null;
      throw error;
    });
    if (reported === null) return;
    since = (startedAt - OVERLAP_MS) as Instant;
    for (const orderHash of await unrecorded(reported.fills)) onMissed(orderHash);
    for (const orderHash of reported.unreadable) onMissed(orderHash);
  }

  async function unrecorded(reported: readonly Omit<VenueFill, 'fee'>[]): Promise<Iterable<string>> {
    if (reported.length === 0) return [];
    const keyOf = (fill: Pick<VenueFill, 'tradeId' | 'orderHash'>) => `${fill.tradeId} ${fill.orderHash}`;
    const tradeIds = [...new Set(reported.map(({ tradeId }) => tradeId))];
    const rows = await db
      .select({ tradeId: fills.tradeId, orderHash: fills.orderHash })
      .from(fills)
      .where(inArray(fills.tradeId, tradeIds));
    const recorded = new Set(rows.map(keyOf));
    const missed = reported.filter((fill) => !recorded.has(keyOf(fill)));
    return (await placedHere(db, missed)).keys();
  }

  return { poll, stop: timers.every(POLL_EVERY_MS, poll) };
}
