import type { SystemStatus } from '@dutchbook/contract/status.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { and, eq, gte, sql } from 'drizzle-orm';
import { recordNotification } from '../../people/notifications/record.ts';
import { notifications } from '../../people/notifications/table.ts';
import { lock } from '../../platform/database/locks.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';

const LOOK_EVERY_MS = 1000;
/** A stream that breaks is opened again within seconds. */
const LASTS_MS = 15_000;

/** `label`: what it is called in messages; null where it is the only one. */
type At = { venue: VenueName; label: string | null };

/**
 * Records a notification when a venue's stream of prices has been down for a while, once each time, whichever engine is
 * the first to see it. Returns what stops it.
 */
export function notifyFeedDown(
  runtime: Pick<Runtime, 'clock' | 'db' | 'random' | 'pubsub' | 'timers'>,
  { venue, label }: At,
  feed: () => SystemStatus['feed'],
): () => void {
  let downSince: Instant | null = null;
  let isNotified = false;
  return runtime.timers.every(LOOK_EVERY_MS, async () => {
    if (feed() !== 'down') {
      downSince = null;
      isNotified = false;
      return;
    }
    const now = runtime.clock.now();
    downSince ??= now;
    if (isNotified || now - downSince < LASTS_MS) return;
    const since = downSince;
    await runtime.db.transaction(async (tx) => {
      await lock(tx, 'feedDown');
      const ofVenue = sql`${notifications.data}->>'venue' = ${venue}`;
      const notified = and(eq(notifications.notificationType, 'feed_down'), gte(notifications.createdAt, since));
      if ((await tx.$count(notifications, and(notified, ofVenue))) > 0) return;
      await recordNotification(tx, runtime, {
        type: 'feed_down',
        opportunityId: null,
        message: `The price feed of ${label ?? 'the venue'} has been down for ${LASTS_MS / 1000} seconds: prices are stale, and nothing is bought on them`,
        data: { venue, since: instantToIso(since) },
      });
    });
    isNotified = true;
  });
}
