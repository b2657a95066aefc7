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

/** An order changes with each of its fills, and cash with what the chain has confirmed. */
const isOfMoney = ({ type }: Change) => type === 'batch' || type === 'order' || type === 'chain_submission';

/** The cash of the first answer may have been read up to a second before the change. */
const READS = 2;

export function usePortfolio() {
  useTopic('batches');
  useTopic('chain');
  const client = useQueryClient();
  const refresh = useCallback(() => void readAgain(client, portfolioQuery.queryKey), [client]);
  useReadSoon(isOfMoney, refresh, READS);
  return useQuery({ ...portfolioQuery, refetchInterval: READ_ANYWAY_MS });
}
