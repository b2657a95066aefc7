import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import type { NotificationType } from '@dutchbook/contract/notification-types.ts';
import { insertOf } from '../../platform/database/many-rows.ts';
import type { Writes } from '../../platform/database/write-together.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import type { NotificationRow } from './store.ts';
import { notifications } from './table.ts';

/** A notification to be recorded: people read `message`, with settings by their plain names; `data` is as clients read it: quantities are plain JSON numbers. */
export type NewNotification = {
  type: NotificationType;
  opportunityId: string | null;
  message: string;
  data: Record<string, unknown>;
};

type NotificationRuntime = Pick<Runtime, 'clock' | 'random' | 'pubsub'>;

/** Records a notification in the transaction that records what it tells of, so that there is one of each or neither. */
export async function recordNotification(
  tx: Db,
  runtime: NotificationRuntime,
  notification: NewNotification,
): Promise<NotificationRow> {
  const [row] = await tx.insert(notifications).values(rowOf(runtime, notification)).returning();
  if (!row) throw new Error('a notification was inserted without a row');
  await runtime.pubsub.publish(tx, 'notification_changed', row.id);
  return row;
}

/** The statements that record several notifications, for `together`. */
export function notificationWrites(runtime: NotificationRuntime, all: readonly NewNotification[]): Writes {
  const rows = all.map((each) => rowOf(runtime, each));
  if (rows.length === 0) return { writes: [], calls: [] };
  return {
    writes: [insertOf(notifications, rows)],
    calls: rows.map(({ id }) => runtime.pubsub.publishing('notification_changed', id)),
  };
}

function rowOf(
  { clock, random }: NotificationRuntime,
  { type, opportunityId, message, data }: NewNotification,
): typeof notifications.$inferInsert {
  const now = clock.now();
  return {
    id: random.uuid(),
    opportunityId,
    notificationType: type,
    message: plainWords(message),
    status: 'pending',
    createdAt: now,
    updatedAt: now,
    data,
  };
}
