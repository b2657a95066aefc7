import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { and, eq, gte, sql } from 'drizzle-orm';
import { recordNotification } from '../notifications/record.ts';
import { notifications } from '../notifications/table.ts';
import type { Feed } from '../status/system-status.ts';
import type { World } from '../world/world.ts';

const LOOK_EVERY_MS = 1000;
/** A stream that breaks is opened again within seconds. */
const LASTS_MS = 15_000;

/** Any number that nobody else locks. */
const TELLING_LOCK = 620_311_051;

/**
 * Records a notification when the venue's stream of prices has been down for a while, once each time, whichever engine is
 * the first to see it. Returns what stops it.
 */
export function tellFeedDown(
  world: Pick<World, 'clock' | 'db' | 'dice' | 'notices' | 'timers'>,
  feed: () => Feed,
): () => void {
  let downSince: Instant | null = null;
  let isTold = false;
  return world.timers.every(LOOK_EVERY_MS, async () => {
    if (feed() !== 'down') {
      downSince = null;
      isTold = false;
      return;
    }
    const now = world.clock.now();
    downSince ??= now;
    if (isTold || now - downSince < LASTS_MS) return;
    const since = downSince;
    await world.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${TELLING_LOCK})`);
      const told = and(eq(notifications.notificationType, 'feed_down'), gte(notifications.createdAt, since));
      if ((await tx.$count(notifications, told)) > 0) return;
      await recordNotification(tx, world, {
        type: 'feed_down',
        opportunityId: null,
        message: `The venue's price feed has been down for ${LASTS_MS / 1000} seconds: prices are stale, and nothing is bought on them`,
        data: { since: instantToIso(since) },
      });
    });
    isTold = true;
  });
}
