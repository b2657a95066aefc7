/** The figures of money that stand side by side on the dashboard: read together, and shown together. */
import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';
import { notifyManager, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { readAgain } from '../../calls/read-again.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { equityQuery } from '../equity/equity-query.ts';
import { daysAgo } from '../report/days/days-ago.ts';
import { LAST_WEEK } from '../report/report-line.tsx';
import { summaryQuery } from '../report/report-queries.ts';
import { overviewQuery } from './use-overview.ts';

/** Sooner than any of them would be read by itself: prices move, and the stream does not tell of what they make of holdings. */
const READ_ANYWAY_MS = 8_000;

const COUNTED: ReadonlySet<ChangeType> = new Set([
  ...(['opportunity', 'opportunity_deleted', 'batch', 'order', 'chain_submission'] as const),
  ...(['notification', 'notification_deleted'] as const),
]);

const isCounted = ({ type }: Change) => COUNTED.has(type);

/** Reads them again as things change: once for a page, however many of its parts show them. */
export function useMoneyTogether(): void {
  useTopic('opportunities');
  useTopic('batches');
  useTopic('chain');
  useTopic('notifications');
  const client = useQueryClient();
  const read = useCallback(() => void readTogether(client, moneyQueries()), [client]);
  useReadSoon(isCounted, read);
  useEffect(() => {
    const timer = setInterval(read, READ_ANYWAY_MS);
    return () => clearInterval(timer);
  }, [read]);
}

const moneyQueries = () => [
  equityQuery,
  overviewQuery,
  summaryQuery({ since: daysAgo(0) }),
  summaryQuery({ since: daysAgo(LAST_WEEK) }),
];

type Readable = { queryKey: QueryKey; queryFn?: unknown };

/** No answer shows before all have come; where one fails, each is read by itself, and says so. */
async function readTogether(client: QueryClient, queries: readonly Readable[]): Promise<void> {
  const { signal } = new AbortController();
  const ask = async ({ queryFn }: Readable): Promise<unknown> =>
    typeof queryFn === 'function' ? queryFn({ signal }) : undefined;
  try {
    const answers = await Promise.all(queries.map(ask));
    notifyManager.batch(() => {
      for (const [nth, { queryKey }] of queries.entries()) client.setQueryData(queryKey, answers[nth]);
    });
  } catch {
    await Promise.all(queries.map(({ queryKey }) => readAgain(client, queryKey)));
  }
}
