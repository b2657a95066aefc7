/** The list of batches with one row, the newest, for all of an opportunity. */
import type { ListedBatch } from '@dutchbook/contract/batches.ts';
import { BATCH_STATUSES } from '@dutchbook/contract/list-values.ts';
import { FOLDED_MAX } from '@dutchbook/contract/listing.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { and, desc, eq, inArray, ne, not, type SQL, sql } from 'drizzle-orm';
import { orderedBy } from '../../platform/database/ordering.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import {
  type BatchFilter,
  type BatchPage,
  type BatchRow,
  EXPOSED,
  matching,
  readBatches,
  SORT_COLUMNS,
} from '../orders/batch-store.ts';
import { batches, batchOrders } from '../orders/table.ts';

type Folded = NonNullable<ListedBatch['folded']>;

/** One page of them; `count` is of rows, each of which stands for `folded.count` batches. */
export async function listFolded(
  db: Db,
  filter: BatchFilter,
  { skip, limit, sortBy, sortOrder }: BatchPage,
): Promise<{ rows: BatchRow[]; foldedOf: ReadonlyMap<string, Folded>; count: number }> {
  const groups = groupsOf(db, filter);
  const summed: Partial<Record<BatchPage['sortBy'], SQL.Aliased>> = {
    target_profit_usd: groups.target_profit_usd,
    actual_profit_usd: groups.actual_profit_usd,
    total_orders: groups.total_orders,
    expected_orders: groups.expected_orders,
    retry_count: groups.retry_count,
  };
  const page = await db
    .select()
    .from(groups)
    .innerJoin(batches, eq(batches.id, groups.newest))
    .orderBy(...orderedBy(sql`${summed[sortBy] ?? SORT_COLUMNS[sortBy]}`, sortOrder, batches.id))
    .offset(skip)
    .limit(limit)
    .then((rows) => rows.map(({ folded }) => folded));
  const [newest, costs] = await Promise.all([
    readBatches(
      db,
      page.map((group) => group.newest),
    ),
    costsOf(
      db,
      page.flatMap(({ ids }) => ids),
    ),
  ]);
  const rowOf = new Map(newest.map((row) => [row.id, row]));
  return {
    rows: page.flatMap((group) => rowOf.get(group.newest) ?? []),
    foldedOf: new Map(page.map((group) => [group.newest, presentFolded(group, costs)])),
    count: page[0]?.groups ?? (skip === 0 ? 0 : await db.$count(groups)),
  };
}

const dollars = (value: unknown) => Number(value) as Usd;

function groupsOf(db: Db, filter: BatchFilter) {
  const { id, createdAt, status, simulated, totalOrders, expectedOrders, retryCount, targetProfit, actualProfit } =
    batches;
  const recent = db
    .select({ id })
    .from(batches)
    .where(matching(db, filter))
    .orderBy(desc(createdAt), desc(id))
    .limit(FOLDED_MAX);
  const real = (...which: (SQL | undefined)[]) => sql`filter (where ${and(eq(simulated, false), ...which)})`;
  const made = (...which: (SQL | undefined)[]) => sql`coalesce(sum(${actualProfit}) ${real(...which)}, 0)`;
  const isExposed = sql`coalesce((${EXPOSED}), false)`;
  const inStatus = BATCH_STATUSES.map((each) => sql`count(*) filter (where ${eq(status, each)})`);
  return db
    .select({
      newest: sql<string>`(array_agg(${id} order by ${createdAt} desc, ${id} desc))[1]`.as('newest'),
      ids: sql<string[]>`array_agg(${id})`.as('ids'),
      count: sql`count(*)`.mapWith(Number).as('count'),
      simulated: sql`count(*) filter (where ${simulated})`.mapWith(Number).as('simulated_count'),
      statuses: sql<number[]>`array[${sql.join(inStatus, sql`, `)}]::int[]`.as('statuses'),
      total_orders: sql`sum(${totalOrders})`.mapWith(Number).as('orders'),
      expected_orders: sql`sum(${expectedOrders})`.mapWith(Number).as('expected'),
      retry_count: sql`sum(${retryCount})`.mapWith(Number).as('retries'),
      target_profit_usd: sql`coalesce(sum(${targetProfit}) ${real()}, 0)`.mapWith(dollars).as('target'),
      actual_profit_usd: sql`sum(${actualProfit}) ${real()}`.mapWith(dollars).as('actual'),
      paid_usd: sql`${made(eq(status, 'sold'))}`.mapWith(dollars).as('paid'),
      locked_usd: sql`${made(ne(status, 'sold'), not(isExposed))}`.mapWith(dollars).as('locked'),
      at_risk_usd: sql`${made(isExposed)}`.mapWith(dollars).as('at_risk'),
      first_at: sql<Instant>`min(${createdAt})`.mapWith(createdAt).as('first_at'),
      groups: sql`count(*) over ()`.mapWith(Number).as('groups'),
    })
    .from(batches)
    .where(inArray(id, recent))
    .groupBy(batches.opportunityId)
    .as('folded');
}

/** What the buys of each of these batches cost with fees; a simulated one costs nothing. */
async function costsOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Usd>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({
      id: batches.id,
      cost: sql`sum(${batchOrders.filledCost} + ${batchOrders.fee})`.mapWith(dollars),
    })
    .from(batchOrders)
    .innerJoin(batches, eq(batches.id, batchOrders.batchId))
    .where(and(inArray(batches.id, [...ids]), eq(batches.simulated, false), eq(batchOrders.side, 'buy')))
    .groupBy(batches.id);
  return new Map(rows.map(({ id, cost }) => [id, cost]));
}

type Group = Omit<Folded, 'statuses' | 'cost_usd'> & {
  newest: string;
  ids: string[];
  statuses: number[];
  groups: number;
};

function presentFolded({ newest, ids, groups, statuses, ...sums }: Group, costs: ReadonlyMap<string, Usd>): Folded {
  const counted = BATCH_STATUSES.map((status, nth) => ({ status, count: statuses[nth] ?? 0 }));
  return {
    ...sums,
    statuses: counted.filter(({ count }) => count > 0),
    cost_usd: ids.reduce((sum, id) => addUsd(sum, costs.get(id) ?? USD_ZERO), USD_ZERO),
  };
}
