/** A page of the list with the prices of this moment, which are up to a second ahead of what it was read by. */
import { matchesNow } from './filter.ts';
import type { OpportunityFilter, OpportunityPage, StoredOpportunity } from './store.ts';

type Page = { rows: StoredOpportunity[]; count: number };

/** What lists are sorted by and changes with every price. */
const LIVE_VALUES: Partial<Record<OpportunityPage['sortBy'], (row: StoredOpportunity) => number | null>> = {
  current_price: (row) => row.currentPrice,
  profit_percentage: (row) => row.profitPercentage,
  fees_per_set: (row) => row.feesPerSet,
  triggered: (row) => Number(row.triggered),
  last_checked: (row) => row.lastChecked,
  error_count: (row) => row.errorCount,
};

/**
 * The page as it is served: its rows match the filter and stand in the order of the values they show. One that no longer
 * matches is left out and not counted.
 */
export function livePage(
  stored: Page,
  rowsNow: (rows: readonly StoredOpportunity[]) => StoredOpportunity[],
  filter: OpportunityFilter,
  { sortBy, sortOrder }: Pick<OpportunityPage, 'sortBy' | 'sortOrder'>,
): Page {
  // Only the database knows the order of texts.
  if (sortBy === 'last_error' || sortBy === 'blocked') return stored;
  const rows = rowsNow(stored.rows).filter((row) => matchesNow(row, filter));
  const count = stored.count - (stored.rows.length - rows.length);
  const value = LIVE_VALUES[sortBy];
  if (value === undefined) return { rows, count };
  const sign = sortOrder === 'asc' ? 1 : -1;
  const compared = (a: StoredOpportunity, b: StoredOpportunity) => {
    const [one, other] = [value(a), value(b)];
    if (one === other) return sign * (a.id < b.id ? -1 : 1);
    if (one === null || other === null) return one === null ? 1 : -1;
    return sign * (one - other);
  };
  return { rows: rows.toSorted(compared), count };
}
