import { listOpportunities, type OpportunityRow, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import type { ListSource } from '../../lists/list.ts';
import { isLetThrough } from '../../lists/list-search.ts';
import { fresher, type Read, readOne } from '../../live/fresher.ts';
import { useLiveEntry, useTopic } from '../../live/live.ts';
import { useInSlices } from '../../ui/use-in-slices.ts';
import type { OpportunityFilter, OpportunitySearch } from './opportunity-search.ts';

export const opportunityListKey = ['opportunities'] as const;
export const opportunityKey = (id: string) => ['opportunity', id] as const;

/** The filter as the server takes it. */
export function opportunityFilterQuery({ q, active, venue, triggered, minProfitUsd, minProfit }: OpportunityFilter) {
  return {
    q,
    active,
    venue,
    triggered,
    min_profit_usd: minProfitUsd === undefined ? undefined : usdFromNumber(minProfitUsd),
    min_profit_percentage: minProfit === undefined ? undefined : percentFromNumber(minProfit),
  };
}

function marketIdsOf({ market_combinations: combinations }: OpportunityRow): string[] {
  return combinations.flatMap(({ markets }) => markets.map(({ id }) => id));
}

/** Whether the server lists `row` under this filter, as far as a row can tell: what is looked for may stand elsewhere. */
export function matchesFilter(
  row: OpportunityRow,
  { active, venue, triggered, minProfit }: OpportunityFilter,
): boolean {
  const pays = minProfit === undefined || (row.profit_percentage ?? -Infinity) >= percentFromNumber(minProfit);
  const isThere = venue === undefined || marketIdsOf(row).some((id) => venueOf(id) === venue);
  return pays && isThere && isLetThrough(active, row.active) && isLetThrough(triggered, row.triggered);
}

export const OPPORTUNITY_SOURCE: ListSource<OpportunityRow, OpportunitySearch> = {
  name: 'opportunities',
  read: async (page, search, signal) => {
    const { data, count } = await call(listOpportunities, {
      query: { ...page, ...opportunityFilterQuery(search) },
      signal,
    });
    return { data: page.sort_by === 'profit_usd' ? latestOfPast(data) : data, count };
  },
};

/** By dollars what is inactive at the end of a page has no order, as its dollars are not known: what paid last comes first. */
export function latestOfPast<Row extends Pick<OpportunityRow, 'active' | 'last_checked'>>(rows: readonly Row[]): Row[] {
  const end = rows.findLastIndex(({ active }) => active) + 1;
  const past = rows.slice(end).sort((a, b) => (b.last_checked ?? 0) - (a.last_checked ?? 0));
  return [...rows.slice(0, end), ...past];
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
