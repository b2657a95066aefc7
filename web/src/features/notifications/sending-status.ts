/** What the sidebar and the list both show: how many notifications there are, and whether they leave. */
import { readNotificationStats, readSendingStatus } from '@dutchbook/contract/sending-status.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callQuery } from '../../calls/call-query.ts';

/** The list and the statistics: both are read again when any notification changes. */
export const notificationsKey = ['notifications'] as const;

export const notificationStatsQuery = callQuery([...notificationsKey, 'stats'], readNotificationStats, {});

export function isOfNotifications({ type }: Change): boolean {
  return type === 'notification' || type === 'notification_deleted';
}

export const sendingStatusQuery = callQuery(['notificationSending'], readSendingStatus, {});

/** Whether there is a channel that notifications can be sent over; `undefined` while that is not known. */
export function useHasChannel(): boolean | undefined {
  return useQuery({ ...sendingStatusQuery, staleTime: 60_000 }).data?.channels.telegram.configured;
}

/** On this device a channel was known last. */
const CHANNEL_KEY = 'has-channel';

/** As it was last while it is not known: what depends on it keeps its place. */
export function useProbablyHasChannel(): boolean {
  const hasChannel = useHasChannel();
  useEffect(() => {
    if (hasChannel === true) localStorage.setItem(CHANNEL_KEY, 'true');
    if (hasChannel === false) localStorage.removeItem(CHANNEL_KEY);
  }, [hasChannel]);
  return hasChannel ?? localStorage.getItem(CHANNEL_KEY) !== null;
}
