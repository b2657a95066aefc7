/** What lists of opportunities ask the server for. */
import { listOpportunities, type OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { call } from '../../../calls/call.ts';
import type { ListSource } from '../../../lists/list.ts';
import { isLetThrough } from '../../../lists/list-search.ts';
import type { OpportunityFilter, OpportunitySearch } from '../opportunity-search.ts';

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
  read: (page, search, signal) =>
    call(listOpportunities, { query: { ...page, ...opportunityFilterQuery(search) }, signal }),
};
