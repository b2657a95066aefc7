import { readEquity } from '@dutchbook/contract/portfolio.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { callQuery } from '../../calls/call-query.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';

/** Prices move, and the stream does not tell of what they make of holdings. */
const READ_ANYWAY_MS = 10_000;

/** Days are those of the report: of UTC. */
export const equityQuery = callQuery(['equity'], readEquity, {}, { refetchInterval: READ_ANYWAY_MS });

const isOfMoney = ({ type }: Change) => type === 'batch' || type === 'chain_submission';

/** What the account is worth, as last received. */
export function useEquity() {
  return useQuery(equityQuery);
}

/** Reads it again as money moves: once for a page. */
export function useEquityRefresh(): void {
  useTopic('batches');
  useTopic('chain');
  const client = useQueryClient();
  const refresh = useCallback(() => void readAgain(client, equityQuery.queryKey), [client]);
  useReadSoon(isOfMoney, refresh);
}
