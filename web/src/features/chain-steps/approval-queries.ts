import { type Approval, changeApproval, listApprovals } from '@dutchbook/contract/approvals.ts';
import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useTrade } from '../../calls/use-trade.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { problemsFirst } from './approval-words.ts';
import { isOfChain } from './submission-queries.ts';

export type ApprovalRow = Approval & { id: string };

const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  queryFn: async ({ signal }) => {
    const { data } = await call(listApprovals, { query: {}, signal });
    return problemsFirst(data).map((approval) => ({
      ...approval,
      id: `${approval.venue} ${approval.contract} ${approval.holder}`,
    }));
  },
});

/** Read again whenever a submission changes: one of them may be what changes an approval. */
export function useApprovals() {
  useTopic('chain');
  const client = useQueryClient();
  const refresh = useCallback(() => void readAgain(client, approvalsQuery.queryKey), [client]);
  useReadSoon(isOfChain, refresh);
  return useQuery(approvalsQuery);
}

/** The venue is asked for them: on pages that show no more of them than this, so seldom. */
const PROBLEMS_MS = 300_000;

/** What is wrong with approvals, each in a sentence. Nothing is said where they cannot be read: their page does. */
export function useApprovalProblems(): string[] | undefined {
  const { data } = useQuery({ ...approvalsQuery, staleTime: PROBLEMS_MS, meta: { quiet: true } });
  return data?.flatMap(({ problem }) => problem ?? []);
}

type Change = Pick<Approval, 'contract' | 'holder' | 'is_allowed' | 'venue'>;

export function useChangeApproval(onPlanned: () => void) {
  const client = useQueryClient();
  return useTrade<ChainSubmission, Change>({
    send: (body, idempotencyKey) => call(changeApproval, { body, idempotencyKey }),
    onSuccess: () => {
      void readAgain(client, approvalsQuery.queryKey);
      onPlanned();
    },
    success: 'The change is planned. It holds once the chain has confirmed it.',
    failure: 'Failed to change the approval',
    unknown:
      'The answer was lost, so it is not known whether the change is planned. Asking again does not do it twice.',
  });
}
