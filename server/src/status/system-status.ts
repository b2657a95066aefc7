import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { eq } from 'drizzle-orm';
import { attempts } from '../world/schema.ts';
import type { World } from '../world/world.ts';

export type Feed = SystemStatus['feed'];

/** What the top bar shows. An attempt that was sent and not answered may stand at the venue or not: unknown. Orders leave by themselves only on the simulated exchange: nothing arms a real venue yet. */
export async function readSystemStatus(
  { config, db }: Pick<World, 'config' | 'db'>,
  feed: Feed,
): Promise<SystemStatus> {
  return {
    venue: config.venueMode,
    armed: config.venueMode === 'simulated',
    armed_changed: null,
    arming_refusal: null,
    feed,
    unknown_orders: await db.$count(attempts, eq(attempts.status, 'sent')),
  };
}
