/** Connects stored alerts with the desk: hands it the stored ones, and stores and notifies its changes. */
import { type Alert, type AlertChange, REARMED_BELOW } from '@dutchbook/engine/desk/alerts.ts';
import { formatPercent, type Percent, percentToNumber } from '@dutchbook/units/percent.ts';
import { and, eq } from 'drizzle-orm';
import { recordNotification } from '../../../people/notifications/record.ts';
import { users } from '../../../people/users/table.ts';
import { oneAtATime } from '../../../platform/runtime/one-at-a-time.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { readAlerts } from './store.ts';
import { opportunityAlerts } from './table.ts';

/** Alerts are read again this often, should a message have been lost, or an opportunity have moved to another engine. */
const READ_ANYWAY_MS = 10_000;

/** An opportunity as it stood when an alert of it changed. */
type Seen = { id: string; name: string; profitPercentage: Percent | null };
type Change = { alert: Alert; change: AlertChange; seen: Seen };

type AlertsRuntime = Pick<Runtime, 'clock' | 'db' | 'random' | 'pubsub' | 'timers' | 'log'>;

export type KeptAlerts = {
  /** Takes a change of an alert from the desk, and stores it as soon as the database takes it, in order. */
  changed: (change: Change) => void;
  stop: () => Promise<void>;
};

/** `put`: hands the desk all alerts of an opportunity, now and whenever they have changed. */
export function keepAlerts(
  runtime: AlertsRuntime,
  put: (opportunityId: string, alerts: readonly Alert[]) => void,
): KeptAlerts {
  const { db, pubsub, timers, log } = runtime;
  const waiting: Change[] = [];
  let known: ReadonlyMap<string, unknown> = new Map();

  const keep = oneAtATime(async () => {
    try {
      for (let [next] = waiting; next !== undefined; [next] = waiting) {
        await store(runtime, next);
        waiting.shift();
      }
      const stored = await readAlerts(db);
      // Changes by the desk meanwhile are newer than this reading: store them first, and read again.
      if (waiting.length > 0) return void keep();
      const gone = [...known.keys()].filter((id) => !stored.has(id));
      known = stored;
      for (const id of gone) put(id, []);
      for (const [id, alerts] of stored) put(id, alerts);
    } catch (error) {
      log.warn({ err: error }, 'alerts neither stored nor read, repeated');
    }
  });
  const stops = [
    pubsub.subscribe('alerts_changed', () => void keep()),
    timers.every(READ_ANYWAY_MS, async () => keep()),
  ];
  void keep();
  return {
    changed: (change) => {
      waiting.push(change);
      void keep();
    },
    stop: async () => {
      for (const stop of stops) stop();
      await keep.ended();
    },
  };
}

/** Stores the change once, although several processes, or one after a restart, may report it. */
async function store(runtime: AlertsRuntime, { alert, change, seen }: Change): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const armed = change === 'rearmed';
    const firedAt = armed ? {} : { firedAt: runtime.clock.now() };
    const [row] = await tx
      .update(opportunityAlerts)
      .set({ armed, ...firedAt })
      .where(and(eq(opportunityAlerts.id, alert.id), eq(opportunityAlerts.armed, !armed)))
      .returning();
    if (row !== undefined && !armed) await notify(tx, runtime, row, seen);
  });
}

/** Accounts that cannot log in are not notified. */
async function notify(
  tx: Db,
  runtime: AlertsRuntime,
  { id, userId, byMail, atPercentage }: typeof opportunityAlerts.$inferSelect,
  { id: opportunityId, name, profitPercentage }: Seen,
): Promise<void> {
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  if (!owner?.isActive || profitPercentage === null) return;
  const { email } = owner;
  const { id: notificationId } = await recordNotification(tx, runtime, {
    type: 'opportunity_alert',
    opportunityId,
    message: `${name} pays ${formatPercent(profitPercentage)} after fees: ${email} asked to be told at ${formatPercent(atPercentage)}. The alert is armed again once the profit is below ${formatPercent((atPercentage - REARMED_BELOW) as Percent)}.`,
    data: {
      alert_id: id,
      for: email,
      at_percentage: percentToNumber(atPercentage),
      profit_percentage: percentToNumber(profitPercentage),
    },
  });
  if (byMail) await tx.update(opportunityAlerts).set({ mailDue: notificationId }).where(eq(opportunityAlerts.id, id));
}
