import { listOpportunities, type OpportunityRow, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { fresher, type Read, readOne, readPage } from '../../live/fresher.ts';
import { useLiveEntry, useTopic } from '../../live/live.ts';
import { useInSlices } from '../../ui/use-in-slices.ts';
import type { OpportunitySearch } from './opportunity-search.ts';

export const PAGE_SIZE = 10;

export const opportunityListKey = ['opportunities'] as const;
export const opportunityKey = (id: string) => ['opportunity', id] as const;

export function opportunityListQuery({ page, sortBy, sortOrder, ...filter }: OpportunitySearch) {
  const query = { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, ...filter, sort_by: sortBy, sort_order: sortOrder };
  return queryOptions({
    queryKey: [...opportunityListKey, query],
    queryFn: ({ signal }) => readPage(() => call(listOpportunities, { query, signal })),
    placeholderData: keepPreviousData,
  });
}

/** The newest state of a listed row. */
export function useLatestRow(row: Read<OpportunityRow>, isNear: boolean): Read<OpportunityRow> {
  return fresher(row, useLiveEntry('opportunity', row.id, isNear));
}

/** One opportunity with its positions, as the stream moves it. */
export function useOpportunity(id: string) {
  useTopic(`opportunity:${id}`);
  const deleted = useLiveEntry('opportunity_deleted', id) !== undefined;
  const read = useQuery({
    queryKey: opportunityKey(id),
    queryFn: ({ signal }) => readOne(() => call(readOpportunity, { params: { opportunity_id: id }, signal })),
    enabled: !deleted,
  });
  const live = useLiveEntry('opportunity_detail', id);
  return {
    ...read,
    opportunity: useInSlices(read.data && fresher(read.data, live)),
    deleted,
    /** When this tab was sent the state above: the age of a book counts on from there. */
    receivedAtMs: live === undefined ? read.dataUpdatedAt : Math.max(live.receivedAtMs, read.dataUpdatedAt),
  };
}
