import { noticeOf } from '@dutchbook/contract/notification-types.ts';
import type { Notification } from '@dutchbook/contract/notifications.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { useChanges } from '../../live/live.ts';
import { toastNotifications } from '../../ui/toasts.tsx';
import { isNew, whenFor } from './news.ts';

/** Toasts notifications that cannot wait until the user opens their list, on every page. It draws nothing itself. */
export function NotificationToasts() {
  const client = useQueryClient();
  const reported = useRef(new Set<string>());
  const listener = useCallback(
    (changes: readonly Change[]) => {
      for (const change of changes) {
        if (change.type !== 'notification' || change.data === null) continue;
        const { id, message, notification_type: type } = change.data;
        const notice = noticeOf(type);
        if (notice?.toast !== true || isInSight(change.data) || !isNew(change.data)) continue;
        whenFor(client, change.data, () => {
          if (reported.current.has(id)) return;
          reported.current.add(id);
          toastNotifications(notice.title, message, id, isGood(change.data));
        });
      }
    },
    [client],
  );
  useChanges(listener);
  return null;
}

/** Cash that has arrived, and an alert that was asked for. */
function isGood({ notification_type: type, data }: Notification): boolean {
  return type === 'opportunity_alert' || (type === 'cash_move' && data.status === 'done');
}

/** The page of the batch says so itself, and a toast would lie over the buttons that help. */
function isInSight({ notification_type: type, data }: Notification): boolean {
  return type === 'leg_risk' && location.pathname.startsWith(`/batches/${String(data.batch_id)}`);
}
