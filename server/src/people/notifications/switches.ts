/** The switch for everything that is sent, and how often one topic is sent at most. */

import type { SendingStatus } from '@dutchbook/contract/sending-status.ts';
import { eq } from 'drizzle-orm';
import { recordAction } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { readTelegram } from './channel.ts';
import { sayNoMoment } from './sending/waits.ts';
import { notificationSwitches } from './table.ts';

export type Switches = { enabled: boolean; throttleSeconds: number };

const ROW = 'all';
const UNTOUCHED: Switches = { enabled: true, throttleSeconds: 60 };

export async function readSwitches(db: Db): Promise<Switches> {
  const [row] = await db.select().from(notificationSwitches).where(eq(notificationSwitches.name, ROW));
  return row ?? UNTOUCHED;
}

export async function readSendingStatus({ config, db }: Pick<Runtime, 'config' | 'db'>): Promise<SendingStatus> {
  const { enabled, throttleSeconds } = await readSwitches(db);
  const telegram = await readTelegram({ config, db });
  return {
    enabled,
    throttle_seconds: throttleSeconds,
    channels: { telegram: { configured: telegram.configured, enabled: telegram.enabled } },
  };
}

/** What is left out stays as it is; recorded in the audit log. */
export async function switchSending(
  runtime: Pick<Runtime, 'clock' | 'db' | 'pubsub'>,
  changes: { enabled?: boolean | undefined; throttle_seconds?: number | undefined },
  actor: Actor,
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    await tx
      .insert(notificationSwitches)
      .values({ name: ROW, ...UNTOUCHED })
      .onConflictDoNothing();
    const its = eq(notificationSwitches.name, ROW);
    const [before = UNTOUCHED] = await tx.select().from(notificationSwitches).where(its).for('update');
    const after = {
      enabled: changes.enabled ?? before.enabled,
      throttleSeconds: changes.throttle_seconds ?? before.throttleSeconds,
    };
    await tx.update(notificationSwitches).set(after).where(its);
    if (!after.enabled)
      await runtime.pubsub.publishEach(tx, 'notification_changed', await sayNoMoment(tx, runtime.clock.now()));
    await runtime.pubsub.publish(tx, 'notification_changed');
    await recordAction(tx, runtime, actor, {
      action: 'notifications.switched',
      before: asServed(before),
      after: asServed(after),
    });
  });
}

function asServed({ enabled, throttleSeconds }: Switches) {
  return { enabled, throttle_seconds: throttleSeconds };
}
