import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { inArray } from 'drizzle-orm';
import { attempts } from '../orders/table.ts';
import type { TradingControls } from '../parts.ts';
import type { Db, Runtime } from '../runtime.ts';
import { armingRefusal } from './arming.ts';

export type Feed = SystemStatus['feed'];

/** What the top bar shows; all but the count is of the moment it answers. */
export function systemStatus(
  { config }: Pick<Runtime, 'config'>,
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
    sale_loss_warning: percentFromNumber(config.saleLossWarning),
  };
}

/** The same, with the count of this moment. */
export async function readSystemStatus(
  runtime: Pick<Runtime, 'config' | 'db'>,
  controls: Pick<TradingControls, 'current'>,
  feed: () => Feed,
): Promise<SystemStatus> {
  const unknownOrders = await countUnknownOrders(runtime.db);
  return systemStatus(runtime, controls, feed, unknownOrders);
}

/** An attempt that was sent and not answered may stand at the venue or not. */
export async function countUnknownOrders(db: Db): Promise<number> {
  return await db.$count(attempts, inArray(attempts.status, ['sent', 'unknown']));
}
