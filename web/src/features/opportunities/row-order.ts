import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import type { OpportunitySearch } from './opportunity-search.ts';

type Ranked = Pick<OpportunityRow, 'current_price' | 'profit_percentage'>;

/** Whether the rows are sorted by what moves. */
export const isByPrice = (sortBy: OpportunitySearch['sortBy']): sortBy is keyof Ranked =>
  sortBy === 'current_price' || sortBy === 'profit_percentage';

/** Whether live prices have moved so that the rows no longer stand in the order they are sorted by. */
export function isOutOfOrder(
  rows: readonly Ranked[],
  { sortBy, sortOrder }: Pick<OpportunitySearch, 'sortBy' | 'sortOrder'>,
) {
  if (!isByPrice(sortBy)) return false;
  const values = rows.map((row) => row[sortBy]).filter((value) => value !== null);
  return values.some((value, index) => {
    const next = values[index + 1];
    return next !== undefined && (sortOrder === 'asc' ? value > next : value < next);
  });
}
