import { type ListedNotification, readNotification } from '@dutchbook/contract/notifications.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../calls/call.ts';
import { fresher, type Read, readOne } from '../../live/fresher.ts';
import { useLiveEntry, useTopic } from '../../live/live.ts';

export const notificationKey = (id: string) => ['notification', id] as const;

/** The newest state of a listed row; the stream knows nothing of what a row stands for. */
export function useLatestNotification(row: Read<ListedNotification>, isNear: boolean): Read<ListedNotification> {
  const latest = fresher(row, useLiveEntry('notification', row.id, isNear));
  return useMemo(() => (latest === row ? row : { ...latest, folded: row.folded }), [latest, row]);
}

/** One notification, as the stream moves it. */
export function useNotification(id: string) {
  useTopic('notifications');
  const deleted = useLiveEntry('notification_deleted', id) !== undefined;
  const read = useQuery({
    queryKey: notificationKey(id),
    queryFn: ({ signal }) => readOne(() => call(readNotification, { params: { notification_id: id }, signal })),
    enabled: !deleted,
  });
  const live = useLiveEntry('notification', id);
  return { ...read, notification: read.data && fresher(read.data, live), deleted };
}
