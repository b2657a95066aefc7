/** What people do to notifications; each is in the audit log, and every open tab is told. */
import type { Notification } from '@dutchbook/contract/notifications.ts';
import { type Actor, type JsonObject, recordAction } from '../audit/record.ts';
import { Conflict, NotFound } from '../http/errors.ts';
import type { Db, World } from '../world/world.ts';
import { presentNotification } from './present.ts';
import { deleteNotification, lockNotification, type NotificationRow, updateNotification } from './store.ts';
import { TRIES } from './table.ts';

type Around = Pick<World, 'clock' | 'db' | 'notices'>;

/** Changes what it says, never how far it came. @throws NotFound */
export function changeNotification(
  world: Around,
  id: string,
  changes: { message?: string | undefined; data?: Record<string, unknown> | undefined },
  actor: Actor,
): Promise<Notification> {
  return world.db.transaction(async (tx) => {
    const before = await locked(tx, id);
    const { message = before.message, data = before.data } = changes;
    const updatedAt = world.clock.now();
    const after = await updateNotification(tx, before, { message, data, updatedAt });
    await world.notices.tell(tx, 'notification_changed', id);
    await recordAction(tx, world, actor, {
      action: 'notification.changed',
      object: id,
      before: saidBy(before),
      after: saidBy(after),
    });
    return presentNotification(after);
  });
}

/** Has it sent again. @throws NotFound, Conflict unless it failed */
export function retryNotification(world: Around, id: string, actor: Actor): Promise<Notification> {
  return world.db.transaction(async (tx) => {
    const before = await locked(tx, id);
    if (before.status !== 'failed') {
      throw new Conflict(`The notification is ${before.status}. Only one that failed can be sent again.`);
    }
    const now = world.clock.now();
    const anew = { triesLeft: TRIES, retriedAt: now, sendingId: null };
    const after = await updateNotification(tx, before, { status: 'pending', updatedAt: now, ...anew });
    await world.notices.tell(tx, 'notification_changed', id);
    await recordAction(tx, world, actor, {
      action: 'notification.retried',
      object: id,
      before: { status: before.status },
      after: { status: after.status },
    });
    return presentNotification(after);
  });
}

/** @throws NotFound */
export async function removeNotification(world: Around, id: string, actor: Actor): Promise<void> {
  await world.db.transaction(async (tx) => {
    const before = await locked(tx, id);
    await deleteNotification(tx, id);
    await world.notices.tell(tx, 'notification_changed', id);
    const { notificationType, status } = before;
    await recordAction(tx, world, actor, {
      action: 'notification.deleted',
      object: id,
      before: { notification_type: notificationType, status, ...saidBy(before) },
    });
  });
}

async function locked(tx: Db, id: string): Promise<NotificationRow> {
  const row = await lockNotification(tx, id);
  if (row === null) throw new NotFound('Notification not found');
  return row;
}

function saidBy({ message, data }: NotificationRow): JsonObject {
  return { message, data: data as JsonObject };
}
