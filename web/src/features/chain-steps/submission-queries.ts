import { type ChainSubmission, listChainSubmissions, readChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../calls/call.ts';
import { callQuery } from '../../calls/call-query.ts';
import { readAgain } from '../../calls/read-again.ts';
import { isLetThrough } from '../../lists/list-search.ts';
import { type Read, readOne } from '../../live/fresher.ts';
import { useLiveEntry, useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import type { SubmissionFilter } from './submission-search.ts';

/** Whether the server lists `submission` under this filter. */
export function matchesFilter(submission: ChainSubmission, { status, batchId }: SubmissionFilter): boolean {
  return (
    isLetThrough(status, submission.status) &&
    (batchId === undefined || submission.batch_ids.includes(batchId.toLowerCase()))
  );
}

/** The newest state of one that was read: it bears no time of its last change, so what has come last counts. */
export function useLatestSubmission(row: Read<ChainSubmission>, isNear = true): Read<ChainSubmission> {
  const live = useLiveEntry('chain_submission', row.id, isNear);
  if (live === undefined || live.receivedAtMs <= row.requestedAtMs) return row;
  return { ...live.data, requestedAtMs: row.requestedAtMs };
}

const RECENT = 20;

const recentQuery = callQuery(['submissions', 'recent'], listChainSubmissions, { query: { skip: 0, limit: RECENT } });

export const isOfChain = ({ type }: Change) => type === 'chain_submission';

/** The newest of them, and how much of the quota is used; read again whenever one changes. */
export function useRecentSubmissions() {
  useTopic('chain');
  const client = useQueryClient();
  const refresh = useCallback(() => void readAgain(client, recentQuery.queryKey), [client]);
  useReadSoon(isOfChain, refresh);
  return useQuery(recentQuery);
}

/** One of them, as it was read. */
export function useSubmission(id: string) {
  useTopic('chain');
  return useQuery({
    queryKey: ['submission', id],
    queryFn: ({ signal }) => readOne(() => call(readChainSubmission, { params: { submission_id: id }, signal })),
  });
}
