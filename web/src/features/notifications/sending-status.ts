/** What the sidebar and the list both show: how many notifications there are, and whether they leave. */
import { readNotificationStats, readSendingStatus } from '@dutchbook/contract/sending-status.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '../../calls/call-query.ts';

/** The list and the statistics: both are read again when any notification changes. */
export const notificationsKey = ['notifications'] as const;

export const notificationStatsQuery = callQuery([...notificationsKey, 'stats'], readNotificationStats, {});

export function isOfNotifications({ type }: Change): boolean {
  return type === 'notification' || type === 'notification_deleted';
}

export const sendingStatusQuery = callQuery(['notificationSending'], readSendingStatus, {});

/** Whether what is recorded can be sent to anybody; `undefined` while that is not known. */
export function useHasChannel(): boolean | undefined {
  return useQuery({ ...sendingStatusQuery, staleTime: 60_000 }).data?.channels.telegram.configured;
}
