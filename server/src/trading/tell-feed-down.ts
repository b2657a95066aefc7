import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { recordNotification } from '../notifications/record.ts';
import type { Feed } from '../status/system-status.ts';
import type { World } from '../world/world.ts';

const LOOK_EVERY_MS = 1000;
/** A stream that breaks is opened again within seconds. */
const LASTS_MS = 15_000;

/** Records a notification when the venue's stream of prices has been down for a while, once each time. Returns what stops it. */
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
    const since = instantToIso(downSince);
    await world.db.transaction((tx) =>
      recordNotification(tx, world, {
        type: 'feed_down',
        opportunityId: null,
        message: `The venue's price feed has been down for ${LASTS_MS / 1000} seconds: prices are stale, and nothing is bought on them`,
        data: { since },
      }),
    );
    isTold = true;
  });
}
