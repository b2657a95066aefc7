import type { Notification } from '@dutchbook/contract/notifications.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useChanges } from '../../live/live.ts';
import { isNew, whenFor } from '../notifications/news.ts';
import { kindOf } from './attention-kinds.ts';
import { noteOwnActions } from './own-actions.ts';

/** Has what the person has chosen heard and shown, in one tab of the browser. It draws nothing itself. */
export function AttentionSignals() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const signaled = useRef(new Set<string>());
  useEffect(() => noteOwnActions(client), [client]);
  const onOpen = useCallback(
    (notificationId: string) => void navigate({ to: '/notifications/$notificationId', params: { notificationId } }),
    [navigate],
  );
  const take = useCallback(
    (notification: Notification) => {
      const kind = kindOf(notification);
      if (kind === null || !isNew(notification)) return;
      whenFor(client, notification, () => {
        if (signaled.current.has(notification.id)) return;
        signaled.current.add(notification.id);
        void import('./signal.ts')
          .then((code) => code.signal(client, { notification, kind, onOpen }))
          .catch(() => undefined);
      });
    },
    [client, onOpen],
  );
  const listener = useCallback(
    (changes: readonly Change[]) => {
      for (const change of changes) if (change.type === 'notification' && change.data !== null) take(change.data);
    },
    [take],
  );
  useChanges(listener);
  return null;
}
