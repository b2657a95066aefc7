import { readOverview } from '@dutchbook/contract/status.ts';
import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type * as z from 'zod/mini';
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

export type Overview = z.output<typeof readOverview.reply>;

/** What the dashboard shows, as last received. */
export function useOverview() {
  return useQuery(callQuery(overviewKey, readOverview, {}, { refetchInterval: READ_ANYWAY_MS }));
}

/** Reads it again as things change: once for a page, however many of its parts show it. */
export function useOverviewRefresh(): void {
  useTopic('opportunities');
  useTopic('batches');
  useTopic('notifications');
  const client = useQueryClient();
  const readAgain = useCallback(() => void client.invalidateQueries({ queryKey: overviewKey }), [client]);
  useReadSoon(isCounted, readAgain);
}
