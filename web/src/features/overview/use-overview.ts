import { readOverview } from '@dutchbook/contract/status.ts';
import { useQuery } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { callQuery } from '../../calls/call-query.ts';

/** In case a change was not received. */
const READ_ANYWAY_MS = 15_000;

export const overviewKey = ['overview'] as const;

export const overviewQuery = callQuery(overviewKey, readOverview, {}, { refetchInterval: READ_ANYWAY_MS });

export type Overview = z.output<typeof readOverview.reply>;

/** What the dashboard shows, as last received. */
export function useOverview() {
  return useQuery(overviewQuery);
}
