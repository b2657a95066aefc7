import { readMe } from '@dutchbook/contract/current-user.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';

export const currentUserQuery = queryOptions({
  queryKey: ['currentUser'],
  queryFn: ({ signal }) => call(readMe, { signal }),
  staleTime: 60_000,
});
