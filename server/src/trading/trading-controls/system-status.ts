import type { SystemStatus } from '@dutchbook/contract/status.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { and, eq, lt, or } from 'drizzle-orm';
import { readDiscoverySettings } from '../../market/discovery/settings.ts';
import { countedNotifications, totalOf } from '../../people/notifications/counts.ts';
import { countOpenSignOffs } from '../../people/sign-offs/store.ts';
import { judgedBy, pricingSettings, triggerThreshold } from '../../people/system-settings/in-units.ts';
import { readSettings } from '../../people/system-settings/store.ts';
import type { ReadFeed } from '../../platform/engines/engines.ts';
import { tradingSubject } from '../../platform/http/stops.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { countStanding } from '../fee-stops/store.ts';
import { EXPOSED } from '../orders/batch-store.ts';
import { attempts, batches } from '../orders/table.ts';
import { readRedeemable } from '../under-way/whole-sets.ts';
import { armingRefusal } from './arming.ts';
import type { TradingControls } from './trading-controls.ts';

export type Feed = SystemStatus['feed'];

/** The part of the status that is read from the database. */
export type StatusCounts = {
  unknownOrders: number;
  openSignOffs: number;
  waiting: NonNullable<SystemStatus['waiting']>;
} & Pick<SystemStatus, 'automatic' | 'trigger'>;

export const NOTHING_WAITS: StatusCounts['waiting'] = {
  unhedged_batches: 0,
  failed_notifications: 0,
  fee_stops: 0,
  redeemable: false,
};

/** `cash`: what the venue said last; left out by who does not know. */
export type Armed = Pick<TradingControls, 'venue' | 'isReadOnly' | 'current'> & { cash?: () => CashReading | null };

/** The status shown in the top bar; everything but the counts is current. `all`: the controls of each venue. */
export function systemStatus(
  { config, storage, stops }: Pick<Runtime, 'config' | 'storage' | 'stops'>,
  all: readonly Armed[],
  feed: ReadFeed,
  { unknownOrders, openSignOffs, automatic, trigger, waiting }: StatusCounts,
): SystemStatus {
  const { failure, dropped } = storage.log();
  const venues = all.map((controls) => armingAt({ config, stops }, controls));
  return {
    venue: config.venueMode,
    ...armingOver(venues),
    ...(venues.length > 1 && {
      venues: venues.map((each, place) => ({
        ...{ ...each, feed: feed(each.venue) },
        ...cashOf(all[place]?.cash?.() ?? null),
      })),
    }),
    feed: feed(),
    ...(config.paper !== null && { paper: { fills: config.paper.fills } }),
    unknown_orders: unknownOrders,
    ...(storage.isDiskFull() && { disk_full: true }),
    ...(failure !== null && { log_failure: { reason: failure, dropped } }),
    ...(openSignOffs > 0 && { open_sign_offs: openSignOffs }),
    ...(Object.values(waiting).some(Boolean) && { waiting }),
    automatic,
    trigger,
    sale_loss_warning: percentFromNumber(config.saleLossWarning),
  };
}

type VenueStatus = NonNullable<SystemStatus['venues']>[number];
type ArmingAt = Omit<VenueStatus, 'feed' | 'cash'>;

function cashOf(reading: CashReading | null): Pick<VenueStatus, 'cash'> {
  if (reading === null) return {};
  const pockets = [...(reading.pockets ?? [])].map(([name, free_usd]) => ({ name, free_usd }));
  return { cash: { free_usd: reading.cash, ...(pockets.length > 1 && { pockets }) } };
}

function armingAt(
  { config, stops }: Pick<Runtime, 'config' | 'stops'>,
  { venue, isReadOnly, current }: Armed,
): ArmingAt {
  const { armed, armedChanged, limits } = current();
  return {
    venue,
    armed,
    armed_changed: armedChanged,
    ...(stops.isHeldAlone(tradingSubject(config.venueMode, venue)) && { disarm_not_stored: true }),
    arming_refusal: armingRefusal({ config }, { venue, isReadOnly }, limits),
  };
}

/** Orders may leave where one venue is armed; it cannot be armed where none can. */
function armingOver(venues: readonly ArmingAt[]): Omit<ArmingAt, 'venue'> {
  const changes = venues.map((each) => each.armed_changed).filter((change) => change !== null);
  return {
    armed: venues.some(({ armed }) => armed),
    armed_changed: changes.toSorted((a, b) => b.at - a.at)[0] ?? null,
    ...(venues.some((each) => each.disarm_not_stored) && { disarm_not_stored: true }),
    arming_refusal:
      venues.map((each) => each.arming_refusal).sort((a, b) => Number(a !== null) - Number(b !== null))[0] ?? null,
  };
}

/** The system status with counts read now. */
export async function readSystemStatus(
  runtime: Pick<Runtime, 'config' | 'db' | 'clock' | 'storage' | 'stops'>,
  all: readonly Armed[],
  feed: ReadFeed,
): Promise<SystemStatus> {
  return systemStatus(runtime, all, feed, await readStatusCounts(runtime));
}

export async function readStatusCounts({
  config,
  db,
  clock,
}: Pick<Runtime, 'config' | 'db' | 'clock'>): Promise<StatusCounts> {
  const [unknownOrders, openSignOffs, { settings }, waiting] = await Promise.all([
    countUnknownOrders({ db, clock }),
    countOpenSignOffs(db, config.venueMode, clock.now()),
    // Read from the database: another process may have changed them a moment ago.
    readSettings(db),
    readWaiting(db),
  ]);
  const automatic = await readAutomatic(db, config, settings);
  return { unknownOrders, openSignOffs, automatic, trigger: triggerOf(settings), waiting };
}

export function triggerOf(settings: Settings): SystemStatus['trigger'] {
  const pricing = pricingSettings(settings);
  return {
    profit_percentage: triggerThreshold(settings),
    judged_by: judgedBy(pricing),
    depth_usd: pricing.cumulativeThreshold,
  };
}

async function readWaiting(db: Runtime['db']): Promise<StatusCounts['waiting']> {
  return {
    unhedged_batches: await db.$count(batches, EXPOSED),
    failed_notifications: totalOf(await countedNotifications(db, { status: 'failed' })),
    fee_stops: await countStanding(db),
    redeemable: (await readRedeemable(db)) > 0,
  };
}

async function readAutomatic(
  db: Runtime['db'],
  config: Runtime['config'],
  { AUTO_PLACE_ORDER_ENABLED }: Settings,
): Promise<SystemStatus['automatic']> {
  if (!AUTO_PLACE_ORDER_ENABLED) return 'off';
  return (await readDiscoverySettings(db, config)).auto_place_found ? 'all' : 'brought';
}

/** A post takes this long on a good day. One that its process waits for longer is `unknown` by then; one that it left behind stays `sent`. */
const ANSWERED_WITHIN_MS = 1_000;

/** An attempt that was sent and not answered may stand at the venue or not. */
export async function countUnknownOrders({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<number> {
  const overdue = lt(attempts.sentAt, instantFromMs(clock.now() - ANSWERED_WITHIN_MS));
  return await db.$count(attempts, or(eq(attempts.status, 'unknown'), and(eq(attempts.status, 'sent'), overdue)));
}
