import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { eq } from 'drizzle-orm';
import type { TradingControls } from '../parts.ts';
import { armingRefusal } from '../trading-controls/arming.ts';
import { attempts } from '../world/schema.ts';
import type { Db, World } from '../world/world.ts';

export type Feed = SystemStatus['feed'];

/** What the top bar shows; all but the count is of the moment it answers. */
export function systemStatus(
  { config }: Pick<World, 'config'>,
  controls: Pick<TradingControls, 'current'>,
  feed: () => Feed,
  unknownOrders: number,
): SystemStatus {
  const { armed, armedChanged, limits } = controls.current();
  return {
    venue: config.venueMode,
    armed,
    armed_changed: armedChanged,
    arming_refusal: armingRefusal({ config }, limits),
    feed: feed(),
    unknown_orders: unknownOrders,
  };
}

/** The same, with the count of this moment. */
export async function readSystemStatus(
  world: Pick<World, 'config' | 'db'>,
  controls: Pick<TradingControls, 'current'>,
  feed: () => Feed,
): Promise<SystemStatus> {
  const unknownOrders = await countUnknownOrders(world.db);
  return systemStatus(world, controls, feed, unknownOrders);
}

/** An attempt that was sent and not answered may stand at the venue or not. */
export async function countUnknownOrders(db: Db): Promise<number> {
  return await db.$count(attempts, eq(attempts.status, 'sent'));
}
