/**
 * The venue's dead man's switch: while trading is armed every engine tells the venue that it is there, and when none does any
 * more the venue cancels what rests. Engines share the account's chain of heartbeats, so that one that dies while others
 * live costs nothing.
 */

import type { VenueName } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { type HeartbeatOutcome, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { and, eq, gte, sql } from 'drizzle-orm';
import { recordNotification } from '../../people/notifications/record.ts';
import { notifications } from '../../people/notifications/table.ts';
import { lock } from '../../platform/database/locks.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { unfinishedBatchIds } from '../orders/batch-store.ts';
import type { TradingControls } from '../trading-controls/trading-controls.ts';

const CHECK_EVERY_MS = 1000;
/** With a check every second one leaves at least every five, of the ten that the venue waits. */
const REPEAT_AFTER_MS = 4000;
/** A venue without the call is asked again, in case that it has one by then. */
const UNSUPPORTED_AGAIN_MS = 60_000;
/** After this time without a heartbeat the venue has canceled what rests, if it has the call at all. */
const ALARM_AFTER_MS = 10_000;

type SwitchRuntime = Pick<Runtime, 'clock' | 'db' | 'random' | 'log' | 'pubsub' | 'timers'>;
type SwitchTrading = Pick<VenueTrading, 'heartbeat' | 'openOrders'>;

/** Begins when trading is armed, and goes on when it is not until nothing rests any more. Returns what stops it. */
export function keepDeadMansSwitch(
  runtime: SwitchRuntime,
  trading: SwitchTrading,
  controls: Pick<TradingControls, 'venue' | 'label' | 'current' | 'onChange'>,
): () => void {
  const alarm = openAlarm(runtime, controls);
  let dueAt: Instant | null = null;
  let isBeating = false;

  async function check(): Promise<void> {
    if (isBeating || (dueAt !== null && runtime.clock.now() < dueAt)) return;
    isBeating = true;
    try {
      if (await isWanted()) await beat();
      else {
        dueAt = null;
        alarm.clear();
      }
    } finally {
      isBeating = false;
    }
  }

  async function isWanted(): Promise<boolean> {
    return controls.current().armed || (dueAt !== null && (await mayRest(runtime, trading, controls.venue)));
  }

  async function beat(): Promise<void> {
    const sentAt = runtime.clock.now();
    const outcome = await trading.heartbeat();
    dueAt = (sentAt + pauseAfter(outcome)) as Instant;
    if (outcome.kind === 'taken') alarm.clear();
    else await alarm.missed(outcome);
  }

  const logged = () =>
    void check().catch((error: unknown) => runtime.log.error({ err: error }, 'account heartbeat failed'));
  logged();
  const stops = [runtime.timers.every(CHECK_EVERY_MS, check), controls.onChange(logged)];
  return () => {
    for (const stop of stops) stop();
  };
}

function pauseAfter({ kind }: HeartbeatOutcome): number {
  if (kind === 'failed') return 0;
  return kind === 'taken' ? REPEAT_AFTER_MS : UNSUPPORTED_AGAIN_MS;
}

/** Whether anything of ours or of others may still rest at the venue, which would cancel it if the chain broke now. */
async function mayRest({ db }: Pick<Runtime, 'db'>, trading: SwitchTrading, venue: VenueName): Promise<boolean> {
  if ((await unfinishedBatchIds(db, { venue })).length > 0) return true;
  try {
    return (await trading.openOrders()).length > 0;
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return true;
  }
}

type Alarm = { missed: (outcome: HeartbeatOutcome & { reason: string }) => Promise<void>; clear: () => void };

type At = Pick<TradingControls, 'venue' | 'label'>;

/** Tells people once each time that the switch of a venue does not hold, whichever engine is the first to see it. */
function openAlarm(runtime: SwitchRuntime, at: At): Alarm {
  let since: Instant | null = null;
  let isNotified = false;
  return {
    clear: () => {
      if (since !== null)
        runtime.log.info({ venue: at.venue, since: instantToIso(since) }, 'account heartbeat accepted again');
      since = null;
      isNotified = false;
    },
    missed: async ({ kind, reason }) => {
      const now = runtime.clock.now();
      if (since === null) runtime.log.warn({ venue: at.venue, kind, reason }, 'account heartbeat not accepted');
      since ??= now;
      if (isNotified || (kind === 'failed' && elapsedMs(since, now) < ALARM_AFTER_MS)) return;
      await tell(runtime, at, { kind, reason, since });
      isNotified = true;
    },
  };
}

async function tell(runtime: SwitchRuntime, { venue, label }: At, { kind, reason, since }: Missed): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    await lock(tx, 'deadMansSwitch');
    const ofVenue = sql`${notifications.data}->>'venue' = ${venue}`;
    const reported = and(eq(notifications.notificationType, 'dead_mans_switch'), gte(notifications.createdAt, since));
    if ((await tx.$count(notifications, and(reported, ofVenue))) > 0) return;
    await recordNotification(tx, runtime, {
      type: 'dead_mans_switch',
      opportunityId: null,
      message: (kind === 'failed' ? notTaken : notThere)(label ?? 'The venue'),
      data: { venue, since: instantToIso(since), reason },
    });
  });
}

type Missed = { kind: HeartbeatOutcome['kind']; reason: string; since: Instant };

const notTaken = (where: string) =>
  `${where} has taken no heartbeat for ${ALARM_AFTER_MS / 1000} seconds: it cancels the orders that rest, and trading goes on without a dead man's switch until it takes them again`;
const notThere = (where: string) =>
  `${where} has no dead man's switch: orders that rest stay there if this product stops without canceling them`;
