import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import { presentNotification } from './present.ts';
import { readNotifications } from './store.ts';

const TOPIC = 'notifications';
const READ_AT_ONCE_MAX = 500;
const AGAIN_MS = 1000;

/**
 * Tells every open tab of notifications that were recorded, changed or deleted, in whichever process; what the database
 * did not answer for is published once it does. Returns what stops it, once what it has begun is published.
 */
export function publishNotifications(
  { db, pubsub, log, timers }: Pick<Runtime, 'db' | 'pubsub' | 'log' | 'timers'>,
  stream: StreamHub,
): () => Promise<void> {
  const changed = new Set<string>();
  let cancelAgain = () => {};

  const readAll = async (ids: readonly string[]) => {
    try {
      return await readNotifications(db, ids);
    } catch (error) {
      for (const id of ids) changed.add(id);
      throw error;
    }
  };
  const publishChanged = async () => {
    while (changed.size > 0) {
      const ids = [...changed].slice(0, READ_AT_ONCE_MAX);
      for (const id of ids) changed.delete(id);
      const found = new Map((await readAll(ids)).map((row) => [row.id, row]));
      for (const id of ids) {
        const row = found.get(id);
        if (row) stream.publish({ topic: TOPIC, type: 'notification', id, data: presentNotification(row) });
        else stream.publish({ topic: TOPIC, type: 'notification_deleted', id, data: null });
      }
    }
  };
  const tell = oneAtATime(async () => {
    cancelAgain();
    try {
      await publishChanged();
    } catch (error) {
      log.warn({ err: error }, 'notifications not published to open tabs, repeated later');
      cancelAgain = timers.after(AGAIN_MS, () => void tell());
    }
  });
  const stopHearing = pubsub.subscribe('notification_changed', (id) => {
    if (id === undefined || !stream.watched(TOPIC)) return;
    changed.add(id);
    void tell();
  });
  return async () => {
    stopHearing();
    await tell.ended();
    cancelAgain();
  };
}
