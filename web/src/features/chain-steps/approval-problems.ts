/** What is wrong with approvals: a file of its own, since the title of every page counts it. */
import { listApprovals } from '@dutchbook/contract/approvals.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';

export const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  queryFn: async ({ signal }) => (await call(listApprovals, { query: {}, signal })).data,
});

/** The venue is asked for them: on pages that show no more of them than this, so seldom. */
const PROBLEMS_MS = 300_000;

/** Each in a sentence. Nothing is said where they cannot be read: their page does. */
export function useApprovalProblems(): string[] | undefined {
  const { data } = useQuery({ ...approvalsQuery, staleTime: PROBLEMS_MS, meta: { quiet: true } });
  return data?.flatMap(({ problem }) => problem ?? []);
}
