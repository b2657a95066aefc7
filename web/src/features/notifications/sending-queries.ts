import { readTelegram } from '@dutchbook/contract/notification-sending.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';

/** For superusers only. */
export const telegramQuery = queryOptions({
  queryKey: ['telegram'],
  queryFn: ({ signal }) => call(readTelegram, { signal }),
});
