import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { and, eq, lt, or } from 'drizzle-orm';
import { countOpenSignOffs } from '../../people/sign-offs/store.ts';
import { tradingSubject } from '../../platform/http/stops.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { attempts } from '../orders/table.ts';
import { armingRefusal } from './arming.ts';
import type { TradingControls } from './trading-controls.ts';

export type Feed = SystemStatus['feed'];

export type StatusCounts = { unknownOrders: number; openSignOffs: number };

/** What the top bar shows; all but the counts is of the moment it answers. */
export function systemStatus(
  { config, storage, stops }: Pick<Runtime, 'config' | 'storage' | 'stops'>,
  controls: Pick<TradingControls, 'venue' | 'current'>,
  feed: () => Feed,
  { unknownOrders, openSignOffs }: StatusCounts,
): SystemStatus {
  const { armed, armedChanged, limits } = controls.current();
  const { failure, dropped } = storage.log();
  return {
    venue: config.venueMode,
    armed,
    armed_changed: armedChanged,
    ...(stops.isHeldAlone(tradingSubject(config.venueMode, controls.venue)) && { disarm_not_stored: true }),
    arming_refusal: armingRefusal({ config }, limits),
    feed: feed(),
    unknown_orders: unknownOrders,
    ...(storage.isDiskFull() && { disk_full: true }),
    ...(failure !== null && { log_failure: { reason: failure, dropped } }),
    ...(openSignOffs > 0 && { open_sign_offs: openSignOffs }),
    sale_loss_warning: percentFromNumber(config.saleLossWarning),
  };
}

/** The system status with counts read now. */
export async function readSystemStatus(
  runtime: Pick<Runtime, 'config' | 'db' | 'clock' | 'storage' | 'stops'>,
  controls: Pick<TradingControls, 'venue' | 'current'>,
  feed: () => Feed,
): Promise<SystemStatus> {
  return systemStatus(runtime, controls, feed, await readStatusCounts(runtime));
}

export async function readStatusCounts({
  config,
  db,
  clock,
}: Pick<Runtime, 'config' | 'db' | 'clock'>): Promise<StatusCounts> {
  const [unknownOrders, openSignOffs] = await Promise.all([
    countUnknownOrders({ db, clock }),
    countOpenSignOffs(db, config.venueMode, clock.now()),
  ]);
  return { unknownOrders, openSignOffs };
}

/** A post takes this long on a good day. One that its process waits for longer is `unknown` by then; one that it left behind stays `sent`. */
const ANSWERED_WITHIN_MS = 1_000;

/** An attempt that was sent and not answered may stand at the venue or not. */
export async function countUnknownOrders({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<number> {
  const overdue = lt(attempts.sentAt, instantFromMs(clock.now() - ANSWERED_WITHIN_MS));
  return await db.$count(attempts, or(eq(attempts.status, 'unknown'), and(eq(attempts.status, 'sent'), overdue)));
}
