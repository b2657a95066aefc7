import { readMe } from '@dutchbook/contract/current-user.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { callQuery } from '../../calls/call-query.ts';
import { recall, remember } from '../../calls/remembered.ts';

const NAME = 'user';

/**
 * Begins with what an earlier page of the session has read: what superusers alone see comes with the page, and moves nothing. What
 * calls for them waits for the answer (`isPlaceholderData`): they may be one no more.
 */
export const currentUserQuery = callQuery(
  ['currentUser'],
  readMe,
  {},
  { staleTime: 60_000, placeholderData: () => z.safeParse(readMe.reply, recall(NAME)).data },
);

export function useUserRemembered(): void {
  const { data, isPlaceholderData } = useQuery(currentUserQuery);
  useEffect(() => {
    if (data !== undefined && !isPlaceholderData) remember(NAME, data);
  }, [data, isPlaceholderData]);
}
