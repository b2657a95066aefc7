import { listRuns, type Run } from '@dutchbook/contract/accounts/runs.ts';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '../../calls/call-query.ts';
import { useSystemStatus } from '../status/system-status.ts';

export const runsKey = ['runs'] as const;

/** A new run begins minutes after it was asked for. */
const REFRESH_MS = 5_000;

const runsQuery = callQuery([...runsKey], listRuns, {}, { refetchInterval: REFRESH_MS });

/** Undefined where nothing is on paper: there is one run alone. */
export function useRuns() {
  const isPaper = useSystemStatus()?.paper !== undefined;
  return useQuery({ ...runsQuery, enabled: isPaper }).data;
}

/** Ended runs, the latest first. */
export function endedRuns(runs: readonly Run[]): readonly Run[] {
  return runs.filter(({ ended_at }) => ended_at !== null);
}
