import { type OpportunityRow, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { fresher, type Read, readOne } from '../../live/fresher.ts';
import { useLiveEntry, useTopic } from '../../live/live.ts';
import { useInSlices } from '../../ui/use-in-slices.ts';

export const opportunityListKey = ['opportunities'] as const;
export const opportunityKey = (id: string) => ['opportunity', id] as const;

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
