import { type Approval, changeApproval } from '@dutchbook/contract/approvals.ts';
import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useTrade } from '../../calls/use-trade.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { approvalsQuery } from './approval-problems.ts';
import { problemsFirst } from './approval-words.ts';
import { isOfChain } from './submission-queries.ts';

export type ApprovalRow = Approval & { id: string };

const rowsOf = (approvals: Approval[]): ApprovalRow[] =>
  problemsFirst(approvals).map((approval) => ({
    ...approval,
    id: `${approval.venue} ${approval.contract} ${approval.holder}`,
  }));

/** Read again whenever a submission changes: one of them may be what changes an approval. */
export function useApprovals() {
  useTopic('chain');
  const client = useQueryClient();
  const refresh = useCallback(() => void readAgain(client, approvalsQuery.queryKey), [client]);
  useReadSoon(isOfChain, refresh);
  return useQuery({ ...approvalsQuery, select: rowsOf });
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
