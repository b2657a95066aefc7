import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { OPPORTUNITY_SORTS } from '@dutchbook/contract/opportunities.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import {
  type AnyColumn,
  and,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { isAnyAt } from '../../platform/database/columns.ts';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import { type JsonRow, partOf } from '../../platform/database/json-rows.ts';
import { oldestFirst } from '../../platform/database/oldest-first.ts';
import { asWritten, indexOrder, isAlwaysKnown, orderedBy, textInsensitive } from '../../platform/database/ordering.ts';
import { keepPreparedPages, type Preparable, pageKey } from '../../platform/database/prepared-pages.ts';
import { inPartitions } from '../../platform/engines/in-partitions.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { type Find, foundOpportunities } from './find.ts';
import { isByPast } from './live-page.ts';
import { isNotMoved, mayBeOnPage, movedPrices, pricesNow } from './moved-prices.ts';
import { MARKET_IDS, opportunities, opportunityCounts, opportunityPrices } from './table.ts';

const { opportunityId: _id, editedAt: _editedAt, ...PRICES } = getTableColumns(opportunityPrices);
const STORED = { ...getTableColumns(opportunities), ...PRICES };
const WITH_PRICES = eq(opportunityPrices.opportunityId, opportunities.id);

/** An opportunity as stored, with what was last found out about it. */
export type StoredOpportunity = typeof opportunities.$inferSelect &
  Omit<typeof opportunityPrices.$inferSelect, 'opportunityId' | 'editedAt'>;

/** `isOfNow`: whether its books are followed and none is stale or missing; not given where another engine knows it. */
export type OpportunityNow = StoredOpportunity & { isOfNow?: boolean };

interface StoredQuery extends PromiseLike<StoredOpportunity[]> {
  where: (condition: SQL | undefined) => StoredQuery;
  orderBy: (...order: SQL[]) => StoredQuery;
  limit: (rows: number) => StoredQuery;
  for: (strength: 'share' | 'update') => StoredQuery;
}

/** The query of all opportunities with their prices. When locking, lock an opportunity before its prices. */
export function storedOpportunities(db: Db): StoredQuery {
  return db.select(STORED).from(opportunities).innerJoin(opportunityPrices, WITH_PRICES).$dynamic();
}

export type OpportunityFilter = {
  find?: Find | undefined;
  ids?: readonly string[] | undefined;
  active?: boolean | undefined;
  triggered?: boolean | undefined;
  /** Opportunities with a position at this venue. */
  venue?: VenueName | undefined;
  /** Least profit of a set, after fees. */
  minProfit?: Usd | undefined;
  minProfitPercentage?: Percent | undefined;
};

/** A filter limited to these partitions; null for all. */
type SharedFilter = OpportunityFilter & { partitions?: readonly number[] | null };

/** The id of the batch that is buying the opportunity; null where there is none. */
export type ActiveBatchOf = (db: Db, opportunityId: string) => Promise<string | null>;

type OpportunitySort = (typeof OPPORTUNITY_SORTS)[number];

const PRICE_SORTS = {
  current_price: opportunityPrices.currentPrice,
  profit_percentage: opportunityPrices.profitPercentage,
  annualised_return: opportunityPrices.annualisedReturn,
  profit_usd: opportunityPrices.profitUsd,
  max_profitable_size: opportunityPrices.maxProfitableSize,
  pays_at: opportunityPrices.paysAt,
  about: textInsensitive(opportunityPrices.about),
  /** Begins with what it is about. */
  name: textInsensitive(opportunityPrices.about),
  fees_per_set: opportunityPrices.feesPerSet,
  triggered: opportunityPrices.triggered,
  last_checked: opportunityPrices.lastChecked,
  last_error: textInsensitive(opportunityPrices.lastError),
  error_count: opportunityPrices.errorCount,
  blocked: sql`(case when ${opportunityPrices.triggered} then ${textInsensitive(opportunityPrices.refusal)} end)`,
};

/** In dollars, after fees. */
const PROFIT_PER_SET = sql`(${opportunities.targetPrice} - ${opportunityPrices.currentPrice} - ${opportunityPrices.feesPerSet})`;

const SORT_COLUMNS = {
  id: opportunities.id,
  created_at: opportunities.createdAt,
  updated_at: opportunities.updatedAt,
  target_price: opportunities.targetPrice,
  active: opportunities.active,
  source: textInsensitive(opportunities.source),
  source_details: textInsensitive(opportunities.sourceDetails),
  content_hash: opportunities.contentHash,
  relation_id: opportunities.relationId,
  ...PRICE_SORTS,
} satisfies Record<OpportunitySort, AnyColumn | SQL>;

export type OpportunityPage = { skip: number; limit: number; sortBy: OpportunitySort; sortOrder: SortOrder };

/** Which are on a page, by the prices of those that have moved; what is said of them is as stored. */
export async function listOpportunities(
  db: Db,
  filter: OpportunityFilter,
  page: OpportunityPage,
  moved: readonly StoredOpportunity[] = [],
): Promise<{ rows: StoredOpportunity[]; count: number }> {
  const key = moved.length > 0 ? null : pageKey(page, keyOf(filter));
  const rows = await kept(db, key, () => pageOfOpportunities(db, filter, page, moved)).execute();
  const [counted] = rows;
  const countAll = async () => counted?.count ?? (await countOpportunities(db, filter, moved));
  return { rows, count: await countWithPage(page, rows.length, countAll) };
}

/** `count`: of all that match, where that is kept. */
type PageRow = StoredOpportunity & { count: number | null };
const kept = keepPreparedPages<PageRow>();

/**
 * The statement that reads a page: first which they are, without what is shown of them, then those. What the screens sort
 * by is read from an index. Downwards such an index begins with what is unknown and has to come last: it is read from where
 * it is known first, and from its beginning only where that does not fill the page. Its limit and what it skips stand in it as
 * numbers, since a plan that has to suit any of them is never good enough to be kept.
 */
export function pageOfOpportunities(
  db: Db,
  filter: OpportunityFilter,
  { skip, limit, sortBy, sortOrder }: OpportunityPage,
  moved: readonly StoredOpportunity[] = [],
): Preparable<PageRow> & SQLWrapper {
  const value: AnyColumn | SQL = SORT_COLUMNS[sortBy];
  const isByPrices = sortBy in PRICE_SORTS;
  const isPastLast = isByPast(sortBy, sortOrder);
  const id = isByPrices ? opportunityPrices.opportunityId : opportunities.id;
  const isJoined =
    filter.minProfit !== undefined ||
    (isByPrices && filter.venue !== undefined) ||
    (isByPrices ? filter.active : (filter.triggered ?? filter.minProfitPercentage)) !== undefined;
  const from = (prices: SQL | typeof opportunityPrices) => {
    const [table, other] = isByPrices ? [prices, opportunities] : [opportunities, prices];
    return isJoined ? sql`${table} join ${other} on ${WITH_PRICES}` : sql`${table}`;
  };
  const fields = (edited: AnyColumn | null) => ({
    id: sql`${id}`.as('page_id'),
    ...(moved.length > 0 && { value: sql`${value}`.as('page_value') }),
    ...(moved.length > 0 && isPastLast && { edited: sql`${edited}::timestamptz`.as('page_edited') }),
  });
  const part = (among: SQL | undefined, prices: SQL | typeof opportunityPrices = opportunityPrices) =>
    db
      .select(fields(null))
      .from(from(prices))
      .where(and(among, matching(db, filter, id)))
      .orderBy(...indexOrder(value, sortOrder, id));
  /** Rows without current dollars, in the order of the index by edit time: those that paid last were deactivated last. */
  const past = (among: SQL | undefined) =>
    db
      .select(fields(opportunities.updatedAt))
      .from(sql`${opportunities} join ${opportunityPrices} on ${WITH_PRICES}`)
      .where(and(among, isNull(value), matching(db, filter, id)))
      .orderBy(desc(opportunities.updatedAt), desc(opportunities.id));
  const end = asWritten(skip + limit);
  const whole = (among: SQL | undefined) => {
    if (sortOrder === 'asc' || isAlwaysKnown(value)) return part(among);
    return unionAll(
      part(and(among, isNotNull(value))).limit(end),
      (isPastLast ? past(among) : part(and(among, isNull(value)))).limit(end),
    );
  };
  const wholeNow = () => {
    const rows = mayBeOnPage(moved, filter, { skip, limit, sortBy, sortOrder });
    const edited = isPastLast ? sql`page_edited desc nulls last, ` : sql``;
    const inOrder =
      sortOrder === 'asc' ? sql`page_value, page_id` : sql`page_value desc nulls last, ${edited}page_id desc`;
    return sql`(select * from ${whole(isNotMoved(moved)).limit(end)} as stored
      union all select * from ${part(undefined, movedPrices(rows)).limit(end)} as moved
      order by ${inOrder} limit ${asWritten(limit)} offset ${asWritten(skip)})`;
  };
  const page = moved.length > 0 ? wholeNow() : whole(undefined).limit(asWritten(limit)).offset(asWritten(skip));
  return db
    .select({ ...STORED, count: isCountKept(filter) ? keptCount(filter.active) : sql<null>`null` })
    .from(sql`${page} as page`)
    .innerJoin(opportunities, sql`${opportunities.id} = page.page_id`)
    .innerJoin(opportunityPrices, WITH_PRICES)
    .orderBy(
      ...(isPastLast ? [sql`${value} desc nulls last`, PAST_ORDER] : []),
      ...orderedBy(value, sortOrder, opportunities.id),
    );
}

/** Order of opportunities without current dollars. */
const PAST_ORDER = sql`case when ${opportunityPrices.profitUsd} is null then ${opportunities.updatedAt} end desc nulls last`;

export async function readOpportunity(db: Db, id: string): Promise<StoredOpportunity | null> {
  const [row] = await storedOpportunities(db).where(eq(opportunities.id, id));
  return row ?? null;
}

/** The parts of an opportunity that a person can change while an order is judged. */
export type StandingOpportunity = Pick<
  StoredOpportunity,
  'active' | 'contentHash' | 'targetPrice' | 'marketCombinations'
>;

/** The query for it, which locks the opportunity until the transaction ends. */
export function standingUntilEnd(id: string): SQLWrapper {
  return sql`select ${standing.columns} from ${opportunities} where ${opportunities.id} = ${id} for share`;
}

const standing = partOf(opportunities, ['active', 'contentHash', 'targetPrice', 'marketCombinations']);

/** Reads the row; null for none. */
export function standingIn([row]: readonly JsonRow[]): StandingOpportunity | null {
  return row === undefined ? null : standing.from(row);
}

/** The opportunities that exist among the ids, in no particular order. */
export async function readOpportunities(db: Db, ids: readonly string[]): Promise<StoredOpportunity[]> {
  if (ids.length === 0) return [];
  return storedOpportunities(db).where(inArray(opportunities.id, [...ids]));
}

/**
 * All and the active ones are added up from counts that are kept, so that it takes no longer the more there are; those
 * that have triggered are few at any time, and counted from their index.
 */
export async function countOpportunities(
  db: Db,
  filter: OpportunityFilter,
  moved: readonly StoredOpportunity[] = [],
): Promise<number> {
  const { active, triggered } = filter;
  if (isNarrow(filter)) return await countJoined(db, filter, moved);
  const whole = triggered === true ? 0 : await readKeptCount(db, active);
  if (triggered === undefined) return whole;
  const count = await countTriggered(db, active);
  return triggered ? count : whole - count;
}

function isCountKept(filter: OpportunityFilter): boolean {
  return filter.triggered === undefined && !isNarrow(filter);
}

/** All, or all that are active or are not. */
function keptCount(active: boolean | undefined): SQL<number> {
  const { total, active: activeOnes } = opportunityCounts;
  const sum = active === undefined ? sql`${total}` : active ? sql`${activeOnes}` : sql`${total} - ${activeOnes}`;
  return sql`(select coalesce(sum(${sum}), 0) from ${opportunityCounts})`.mapWith(Number);
}

async function readKeptCount(db: Db, active: boolean | undefined): Promise<number> {
  const { rows } = (await db.execute(sql`select ${keptCount(active)} as count`)) as unknown as {
    rows: { count: string }[];
  };
  return Number(rows[0]?.count);
}

async function countTriggered(db: Db, active: boolean | undefined): Promise<number> {
  if (active !== undefined) return await countJoined(db, { active, triggered: true });
  return await db.$count(opportunityPrices, eq(opportunityPrices.triggered, asWritten(true)));
}

async function countJoined(
  db: Db,
  filter: OpportunityFilter,
  moved: readonly StoredOpportunity[] = [],
): Promise<number> {
  const [found] = await db
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(sql`${pricesNow(moved)} join ${opportunities} on ${WITH_PRICES}`)
    .where(matching(db, filter, opportunities.id));
  return found?.count ?? 0;
}

/** All of them, oldest first, by the prices of those that have moved; what is said of them is as stored. */
export function pagesOfOpportunities(
  db: Db,
  filter: SharedFilter,
  moved: readonly StoredOpportunity[] = [],
): AsyncGenerator<StoredOpportunity[]> {
  const { partitions = null } = filter;
  const matches = () => {
    const all = matching(db, filter, opportunities.id);
    if (moved.length === 0) return all;
    return sql`${opportunities.id} in (
      select ${opportunities.id} from ${pricesNow(moved)} join ${opportunities} on ${WITH_PRICES} where ${all ?? true})`;
  };
  return oldestFirst(opportunities, ({ after, order, limit }) =>
    storedOpportunities(db)
      .where(and(matches(), inPartitions(opportunities.id, partitions), after))
      .orderBy(...order)
      .limit(limit),
  );
}

/** `id`: of whichever table the rows are read from. */
function matching(db: Db, filter: OpportunityFilter, id: AnyColumn): SQL | undefined {
  return and(
    filter.active === undefined ? undefined : eq(opportunities.active, asWritten(filter.active)),
    filter.triggered === undefined ? undefined : eq(opportunityPrices.triggered, asWritten(filter.triggered)),
    filter.minProfit === undefined ? undefined : sql`${PROFIT_PER_SET} >= ${filter.minProfit}`,
    filter.minProfitPercentage === undefined
      ? undefined
      : gte(opportunityPrices.profitPercentage, filter.minProfitPercentage),
    filter.venue && isAnyAt(MARKET_IDS, filter.venue),
    filter.find && sql`${id} in ${foundOpportunities(db, filter.find)}`,
    filter.ids && inArray(id, [...filter.ids]),
  );
}

/** Asks for what differs from call to call. */
function isNarrow({ find, ids, venue, minProfit, minProfitPercentage }: OpportunityFilter): boolean {
  return (
    find !== undefined ||
    ids !== undefined ||
    venue !== undefined ||
    minProfit !== undefined ||
    minProfitPercentage !== undefined
  );
}

function keyOf(filter: OpportunityFilter): string | null {
  return isNarrow(filter) ? null : `${filter.active} ${filter.triggered}`;
}
