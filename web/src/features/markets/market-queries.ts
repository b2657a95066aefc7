import { listMarketRules } from '@dutchbook/contract/markets.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callQuery } from '../../calls/call-query.ts';

/** Rules hardly ever change, and the page of a relation says when they have. */
const FRESH_MS = 600_000;

/** What each market says of itself and where it stands at the venue, by its id; undefined while that is read. */
export function useMarketRules(marketIds: readonly string[]) {
  const ids = [...new Set(marketIds)].toSorted();
  const { data, isPending } = useQuery(
    callQuery(
      ['market-rules', ids.join(',')],
      listMarketRules,
      { query: { market_ids: ids } },
      { staleTime: FRESH_MS, enabled: ids.length > 0 },
    ),
  );
  const byMarket = useMemo(() => new Map((data?.data ?? []).map((market) => [market.market_id, market])), [data]);
  return { byMarket, isPending };
}
