import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { callQuery } from '../../calls/call-query.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';

const portfolioQuery = callQuery(['portfolio'], readPortfolio, {});

/** Prices move, and the stream does not tell of what they make of holdings. */
const READ_ANYWAY_MS = 5_000;

/** An order changes with each of its fills. */
const isOfBatches = ({ type }: Change) => type === 'batch' || type === 'order';

export function usePortfolio() {
  useTopic('batches');
  const client = useQueryClient();
  const refresh = useCallback(() => void readAgain(client, portfolioQuery.queryKey), [client]);
  useReadSoon(isOfBatches, refresh);
  return useQuery({ ...portfolioQuery, refetchInterval: READ_ANYWAY_MS });
}
