import { readOverview } from '@dutchbook/contract/status.ts';
import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { callQuery } from '../../calls/call-query.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';

/** In case a change was not received. */
const READ_ANYWAY_MS = 15_000;

export const overviewKey = ['overview'] as const;

const COUNTED: ReadonlySet<ChangeType> = new Set([
  'opportunity',
  'opportunity_deleted',
  'batch',
  'notification',
  'notification_deleted',
]);

const isCounted = ({ type }: Change) => COUNTED.has(type);

/** What the dashboard shows, live. */
export function useOverview() {
  useTopic('opportunities');
  useTopic('batches');
  useTopic('notifications');
  const client = useQueryClient();
  const readAgain = useCallback(() => void client.invalidateQueries({ queryKey: overviewKey }), [client]);
  useReadSoon(isCounted, readAgain);
  return useQuery(callQuery(overviewKey, readOverview, {}, { refetchInterval: READ_ANYWAY_MS }));
}
