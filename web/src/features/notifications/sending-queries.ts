import { readSendingStatus, readTelegram } from '@dutchbook/contract/notification-sending.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';

/** For superusers only. */
export const telegramQuery = queryOptions({
  queryKey: ['telegram'],
  queryFn: ({ signal }) => call(readTelegram, { signal }),
});

export const sendingStatusQuery = queryOptions({
  queryKey: ['notificationSending'],
  queryFn: ({ signal }) => call(readSendingStatus, { signal }),
});

/** Whether what is recorded can be sent to anybody; `undefined` while that is not known. */
export function useHasChannel(): boolean | undefined {
  return useQuery({ ...sendingStatusQuery, staleTime: 60_000 }).data?.channels.telegram.configured;
}
