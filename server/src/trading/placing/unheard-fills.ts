import type { Instant } from '@dutchbook/units/instant.ts';
import { type VenueFill, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { inArray } from 'drizzle-orm';
import { placedHere } from '../../external-orders/store.ts';
import { fills } from '../../world/schema.ts';
import type { World } from '../../world/world.ts';

const LOOK_EVERY_MS = 30_000;
/** Trades of while the product was down. */
const FIRST_LOOK_BACK_MS = 24 * 3_600_000;
/** A venue can list a trade later than it was matched. */
const OVERLAP_MS = 5 * 60_000;

export type UnheardFills = {
  /** Reads the trades of lately. Does nothing where the venue does not answer: the next look reaches as far back. */
  look: () => Promise<void>;
  stop: () => void;
};

/**
 * Looks for trades of orders placed here that are not recorded. Nobody asks about an order any more that was given up, or
 * that counted as done; the stream that would tell of its trades may have been down. `onUnheard` is called with its hash.
 */
export function followUnheardFills(
  { db, clock, timers }: Pick<World, 'db' | 'clock' | 'timers'>,
  trading: Pick<VenueTrading, 'fillsSince'>,
  onUnheard: (orderHash: string) => void,
): UnheardFills {
  let since = (clock.now() - FIRST_LOOK_BACK_MS) as Instant;

  async function look(): Promise<void> {
    const begunAt = clock.now();
    const told = await trading.fillsSince(since).catch((error: unknown) => {
      if (error instanceof VenueUnavailable) return null;
      throw error;
    });
    if (told === null) return;
    since = (begunAt - OVERLAP_MS) as Instant;
    for (const orderHash of await unrecorded(told)) onUnheard(orderHash);
  }

  async function unrecorded(told: readonly VenueFill[]): Promise<Iterable<string>> {
    if (told.length === 0) return [];
    const keyOf = (fill: Pick<VenueFill, 'tradeId' | 'orderHash'>) => `${fill.tradeId} ${fill.orderHash}`;
    const tradeIds = [...new Set(told.map(({ tradeId }) => tradeId))];
    const rows = await db
      .select({ tradeId: fills.tradeId, orderHash: fills.orderHash })
      .from(fills)
      .where(inArray(fills.tradeId, tradeIds));
    const recorded = new Set(rows.map(keyOf));
    const unheard = told.filter((fill) => !recorded.has(keyOf(fill)));
    return (await placedHere(db, unheard)).keys();
  }

  return { look, stop: timers.every(LOOK_EVERY_MS, look) };
}
