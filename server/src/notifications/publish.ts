import type { StreamHub } from '../parts.ts';
import type { World } from '../world/world.ts';
import { presentNotification } from './present.ts';
import { readNotifications } from './store.ts';

const TOPIC = 'notifications';
const READ_AT_ONCE_MAX = 500;

/**
 * Tells every open tab of notifications that were recorded, changed or deleted, in whichever process. Returns what
 * stops it, once what it has begun is told.
 */
export function publishNotifications(
  { db, notices, log }: Pick<World, 'db' | 'notices' | 'log'>,
  stream: StreamHub,
): () => Promise<void> {
  const changed = new Set<string>();
  let telling: Promise<void> | null = null;

  const tell = async () => {
    while (changed.size > 0) {
      const ids = [...changed].slice(0, READ_AT_ONCE_MAX);
      for (const id of ids) changed.delete(id);
      const found = new Map((await readNotifications(db, ids)).map((row) => [row.id, row]));
      for (const id of ids) {
        const row = found.get(id);
        if (row) stream.publish({ topic: TOPIC, type: 'notification', id, data: presentNotification(row) });
        else stream.publish({ topic: TOPIC, type: 'notification_deleted', id, data: null });
      }
    }
  };
  const stopHearing = notices.on('notification_changed', (id) => {
    if (id === undefined || !stream.watched(TOPIC)) return;
    changed.add(id);
    telling ??= tell()
      .catch((error: unknown) => log.warn({ err: error }, 'The open tabs were not told of notifications'))
      .finally(() => {
        telling = null;
      });
  });
  return async () => {
    stopHearing();
    await telling;
  };
}
