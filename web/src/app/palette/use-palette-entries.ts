import { listBatches } from '@dutchbook/contract/batches.ts';
import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../calls/call.ts';
import { currentUserQuery } from '../../features/session/current-user.ts';
import { batchEntry, opportunityEntries, type PaletteEntry, screenEntries } from './palette-entries.ts';

/** What somebody looks for is among the best, and among the latest; anything else is found by its whole id. */
const OPPORTUNITIES = 200;
const BATCHES = 100;
const FRESH_MS = 10_000;
const FIRST = { skip: 0, sort_order: 'desc' } as const;

const opportunitiesQuery = queryOptions({
  queryKey: ['palette', 'opportunities'],
  queryFn: ({ signal }) =>
    call(listOpportunities, { query: { ...FIRST, limit: OPPORTUNITIES, sort_by: 'profit_percentage' }, signal }),
  staleTime: FRESH_MS,
});

const batchesQuery = queryOptions({
  queryKey: ['palette', 'batches'],
  queryFn: ({ signal }) => call(listBatches, { query: { ...FIRST, limit: BATCHES, sort_by: 'created_at' }, signal }),
  staleTime: FRESH_MS,
});

/** Everything the palette leads to, read anew when it opens. */
export function usePaletteEntries(opened: boolean): { entries: readonly PaletteEntry[]; isReading: boolean } {
  const { data: user } = useQuery(currentUserQuery);
  const opportunities = useQuery({ ...opportunitiesQuery, enabled: opened });
  const batches = useQuery({ ...batchesQuery, enabled: opened });
  const entries = useMemo(
    () => [
      ...screenEntries(user),
      ...(opportunities.data?.data ?? []).flatMap(opportunityEntries),
      ...(batches.data?.data ?? []).map(batchEntry),
    ],
    [user, opportunities.data, batches.data],
  );
  return { entries, isReading: opportunities.isLoading || batches.isLoading };
}
