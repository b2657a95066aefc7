/**
 * Opportunities whose prices have moved since they were written: a statement that filters or sorts by prices takes them as
 * they are now.
 */
import { type SQL, sql } from 'drizzle-orm';
import { matchesNow } from './filter.ts';
import { orderOf } from './live-page.ts';
import type { OpportunityFilter, OpportunityPage, StoredOpportunity } from './store.ts';
import { opportunityPrices } from './table.ts';

/** The columns of a row that move with its books. */
type MovedPrices = Pick<
  StoredOpportunity,
  | 'id'
  | 'currentPrice'
  | 'feesPerSet'
  | 'profitPercentage'
  | 'annualisedReturn'
  | 'profitUsd'
  | 'maxProfitableSize'
  | 'triggered'
  | 'errorCount'
>;

const MOVING_SORTS: ReadonlySet<OpportunityPage['sortBy']> = new Set([
  'current_price',
  'profit_percentage',
  'annualised_return',
  'profit_usd',
  'max_profitable_size',
  'fees_per_set',
  'error_count',
]);

/** Whether a page or an export depends on prices that move. That a trigger is on or off is written at once. */
export function isByMoving(
  { minProfit, minProfitPercentage }: OpportunityFilter,
  sortBy?: OpportunityPage['sortBy'],
): boolean {
  const isFiltered = minProfit !== undefined || minProfitPercentage !== undefined;
  return isFiltered || (sortBy !== undefined && MOVING_SORTS.has(sortBy));
}

/** The moved rows that may be on the page: only the first few of many, so that not all need sorting. */
export function mayBeOnPage(
  moved: readonly StoredOpportunity[],
  filter: OpportunityFilter,
  { skip, limit, sortBy, sortOrder }: OpportunityPage,
): readonly StoredOpportunity[] {
  const order = orderOf(sortBy, sortOrder);
  const count = skip + limit;
  // Only the database knows what is found, and the other orders.
  if (filter.find !== undefined || filter.ids !== undefined || order === null || count >= moved.length) return moved;
  const { active } = filter;
  const matching = moved.filter((row) => (active === undefined || row.active === active) && matchesNow(row, filter));
  return count > FEW ? matching.toSorted(order).slice(0, count) : firstOf(matching, order, count);
}

/** More of them are found sooner by putting all in order. */
const FEW = 200;

function firstOf<Row>(rows: readonly Row[], order: (one: Row, other: Row) => number, count: number): Row[] {
  const first: Row[] = [];
  for (const row of rows) {
    const last = first[count - 1];
    if (last !== undefined && order(row, last) >= 0) continue;
    first.push(row);
    first.sort(order);
    if (first.length > count) first.pop();
  }
  return first;
}

const COLUMNS = sql`opportunity_id, current_price, fees_per_set, profit_percentage, annualised_return, profit_usd,
  max_profitable_size, triggered, error_count`;

/** Whether a row of the table of prices has not moved: moved ones are replaced by the process's own. */
export function isNotMoved(moved: readonly MovedPrices[]): SQL | undefined {
  if (moved.length === 0) return undefined;
  // A list of constants would be weighed one by one while the statement is planned.
  return sql`${opportunityPrices.opportunityId} not in (select unnest(${arrayOf(moved, ({ id }) => id)}::uuid[]))`;
}

/**
 * Stands for the table of prices in a statement, under its name: the rows that have moved, as they are now. It has no more
 * columns than filters and sorts of `isByMoving` ask for.
 */
export function movedPrices(rows: readonly MovedPrices[]): SQL {
  return sql`unnest(${arrayOf(rows, ({ id }) => id)}::uuid[],
    ${arrayOf(rows, ({ currentPrice }) => currentPrice)}::bigint[],
    ${arrayOf(rows, ({ feesPerSet }) => feesPerSet)}::bigint[],
    ${arrayOf(rows, ({ profitPercentage }) => profitPercentage)}::bigint[],
    ${arrayOf(rows, ({ annualisedReturn }) => annualisedReturn)}::bigint[],
    ${arrayOf(rows, ({ profitUsd }) => profitUsd)}::bigint[],
    ${arrayOf(rows, ({ maxProfitableSize }) => maxProfitableSize)}::bigint[],
    ${arrayOf(rows, ({ triggered }) => triggered)}::boolean[],
    ${arrayOf(rows, ({ errorCount }) => errorCount)}::integer[]) as ${opportunityPrices}(${COLUMNS})`;
}

/** Stands for the table of prices in the same way: all of its rows. */
export function pricesNow(moved: readonly MovedPrices[]): SQL {
  if (moved.length === 0) return sql`${opportunityPrices}`;
  return sql`(select ${COLUMNS} from ${opportunityPrices} where ${isNotMoved(moved)}
    union all select ${COLUMNS} from ${movedPrices(moved)}) as ${opportunityPrices}`;
}

/** An array as one text parameter, because drivers take longer over thousands of values than over one. */
function arrayOf<Row>(rows: readonly Row[], value: (row: Row) => string | number | boolean | null): string {
  return `{${rows.map(value).map(String).join()}}`;
}
