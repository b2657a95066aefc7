/** A page of the list with the prices of this moment, which may be ahead of what it was read by. */
import { matchesNow } from './filter.ts';
import type { OpportunityFilter, OpportunityNow, OpportunityPage, StoredOpportunity } from './store.ts';

type Page = { rows: StoredOpportunity[]; count: number };

/** Sort values that change with every price. */
const LIVE_VALUES: Partial<Record<OpportunityPage['sortBy'], (row: StoredOpportunity) => number | null>> = {
  current_price: (row) => row.currentPrice,
  profit_percentage: (row) => row.profitPercentage,
  annualised_return: (row) => row.annualisedReturn,
  profit_usd: (row) => row.profitUsd,
  max_profitable_size: (row) => row.maxProfitableSize,
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
  rowsNow: (rows: readonly StoredOpportunity[]) => OpportunityNow[],
  filter: OpportunityFilter,
  { sortBy, sortOrder }: Pick<OpportunityPage, 'sortBy' | 'sortOrder'>,
): { rows: OpportunityNow[]; count: number } {
  const now = rowsNow(stored.rows);
  // Only the database knows the order of texts: those are shown as it has them.
  if (sortBy === 'last_error' || sortBy === 'blocked') {
    const rows = stored.rows.map(({ lastError, triggered, refusal }, index) => ({
      ...(now[index] as OpportunityNow),
      ...{ lastError, triggered, refusal },
    }));
    return { rows, count: stored.count };
  }
  const rows = now.filter((row) => matchesNow(row, filter));
  const count = stored.count - (stored.rows.length - rows.length);
  const order = orderOf(sortBy, sortOrder);
  return { rows: order === null ? rows : rows.toSorted(order), count };
}

/** Sorted by most dollars, rows without current dollars stand behind the others, by edit time: those that paid last were deactivated last. */
export function isByPast(sortBy: OpportunityPage['sortBy'], sortOrder: OpportunityPage['sortOrder']): boolean {
  return sortBy === 'profit_usd' && sortOrder === 'desc';
}

/** The order of a list by a value that moves; null where it is by another. */
export function orderOf(
  sortBy: OpportunityPage['sortBy'],
  sortOrder: OpportunityPage['sortOrder'],
): ((one: StoredOpportunity, other: StoredOpportunity) => number) | null {
  const value = LIVE_VALUES[sortBy];
  if (value === undefined) return null;
  const sign = sortOrder === 'asc' ? 1 : -1;
  const isPastLast = isByPast(sortBy, sortOrder);
  return (a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === null && other === null && isPastLast && a.updatedAt !== b.updatedAt) return b.updatedAt - a.updatedAt;
    if (one === other) return sign * (a.id < b.id ? -1 : 1);
    if (one === null || other === null) return one === null ? 1 : -1;
    return sign * (one - other);
  };
}
