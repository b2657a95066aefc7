import { type Activity, listActivity } from '@dutchbook/contract/status.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { callQuery } from '../../calls/call-query.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';

/** What is found is not published to every page. */
const READ_ANYWAY_MS = 15_000;

const activityQuery = callQuery(['activity'], listActivity, {}, { refetchInterval: READ_ANYWAY_MS, staleTime: 5_000 });

const isOfActivity = ({ type }: Change) => type === 'notification' || type === 'batch';

/** The latest of what the desk has done, as last received; undefined before that. */
export function useActivity(): readonly Activity[] | undefined {
  return useQuery(activityQuery).data?.data;
}

/** Reads it again as things happen: once for all pages. */
export function useActivityRefresh(): void {
  useTopic('notifications');
  useTopic('batches');
  const client = useQueryClient();
  const refresh = useCallback(() => void readAgain(client, activityQuery.queryKey), [client]);
  useReadSoon(isOfActivity, refresh);
}
