/** What people do to notifications; each is in the audit log, and published to every open tab. */

import { isDeepStrictEqual } from 'node:util';
import type { Notification } from '@dutchbook/contract/notifications.ts';
import { inArray } from 'drizzle-orm';
import { type Action, differenceOf, type JsonObject, recordAction } from '../../platform/audit/record.ts';
import { keepDeleted, keptIds, restoreDeleted } from '../../platform/deletions/deletions.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import type { Actor, UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { presentNotification } from './present.ts';
import {
  deleteNotifications,
  lockFoldedUnder,
  lockNotification,
  type NotificationFilter,
  type NotificationRow,
  updateNotification,
} from './store.ts';
import { notifications, TRIES } from './table.ts';

type Around = Pick<Runtime, 'clock' | 'db' | 'pubsub'>;

/** Changes what it says, never how far it came. @throws NotFound */
export function changeNotification(
  runtime: Around,
  id: string,
  changes: { message?: string | undefined; data?: Record<string, unknown> | undefined },
  actor: Actor,
): Promise<Notification> {
  return runtime.db.transaction(async (tx) => {
    const before = await locked(tx, id);
    const { message = before.message, data = before.data } = changes;
    const updatedAt = runtime.clock.now();
    const after = await updateNotification(tx, before, { message, data, updatedAt });
    await runtime.pubsub.publish(tx, 'notification_changed', id);
    await recordAction(tx, runtime, actor, {
      action: 'notification.changed',
      object: id,
      ...differenceInWords(before, after),
    });
    return presentNotification(after);
  });
}

/** Has it sent again. @throws NotFound, Conflict unless it failed */
export function retryNotification(runtime: Around, id: string, actor: Actor): Promise<Notification> {
  return runtime.db.transaction(async (tx) => {
    const before = await locked(tx, id);
    if (before.status !== 'failed') {
      throw new Conflict(`The notification is ${before.status}. Only one that failed can be sent again.`);
    }
    const now = runtime.clock.now();
    const anew = { triesLeft: TRIES, retriedAt: now, sendingId: null };
    const after = await updateNotification(tx, before, { status: 'pending', updatedAt: now, ...anew });
    await runtime.pubsub.publish(tx, 'notification_changed', id);
    await recordAction(tx, runtime, actor, {
      action: 'notification.retried',
      object: id,
      before: { status: before.status },
      after: { status: after.status },
    });
    return presentNotification(after);
  });
}

/** `under`: by what filter a list is folded in which its row stands for all that go with it. @returns how many are gone @throws NotFound */
export function removeNotification(
  runtime: Around,
  id: string,
  { user, actor }: { user: Pick<UserRow, 'id'>; actor: Actor },
  under?: NotificationFilter,
): Promise<number> {
  return runtime.db.transaction(async (tx) => {
    const before = await locked(tx, id);
    const ids = under === undefined ? [id] : await lockFoldedUnder(tx, before, under);
    const where = inArray(notifications.id, ids);
    await keepDeleted(tx, runtime, { kind: 'notification', id }, user, [{ table: notifications, where }]);
    await deleteNotifications(tx, ids);
    for (const each of ids) await runtime.pubsub.publish(tx, 'notification_changed', each);
    const { notificationType, status } = before;
    await recordAction(tx, runtime, actor, {
      action: 'notification.deleted',
      object: id,
      before: {
        notification_type: notificationType,
        status,
        ...saidBy(before),
        ...(ids.length > 1 && { together: ids.length }),
      },
    });
    return ids.length;
  });
}

/** Undoes that, of all that went together; one that was waiting to be sent waits again. @throws NotFound */
export function restoreNotification(
  runtime: Around,
  id: string,
  { user, actor }: { user: Pick<UserRow, 'id' | 'isSuperuser'>; actor: Actor },
): Promise<Notification> {
  return runtime.db.transaction(async (tx) => {
    const deleted = { kind: 'notification', id } as const;
    const restored = await keptIds(tx, deleted, notifications);
    await restoreDeleted(tx, runtime, deleted, user, [notifications]);
    const row = await locked(tx, id);
    for (const each of restored) await runtime.pubsub.publish(tx, 'notification_changed', each);
    const { notificationType, status } = row;
    await recordAction(tx, runtime, actor, {
      action: 'notification.restored',
      object: id,
      after: { notification_type: notificationType, status, ...saidBy(row) },
    });
    return presentNotification(row);
  });
}

async function locked(tx: Db, id: string): Promise<NotificationRow> {
  const row = await lockNotification(tx, id);
  if (row === null) throw new NotFound('Notification not found');
  return row;
}

/** The changed fields in words; of the data only changed members. */
function differenceInWords(before: NotificationRow, after: NotificationRow): Pick<Action, 'before' | 'after'> {
  const words = differenceOf({ message: before.message }, { message: after.message });
  const data = differenceOf(before.data as JsonObject, after.data as JsonObject);
  const isSame = isDeepStrictEqual(data.before, data.after);
  return {
    before: { ...words.before, ...(!isSame && { data: data.before }) },
    after: { ...words.after, ...(!isSame && { data: data.after }) },
  };
}

function saidBy({ message, data }: NotificationRow): JsonObject {
  return { message, data: data as JsonObject };
}
