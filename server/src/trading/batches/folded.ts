/** The list of batches with one row, the newest, for all of an opportunity. */
import type { ListedBatch } from '@dutchbook/contract/batches.ts';
import { BATCH_STATUSES } from '@dutchbook/contract/list-values.ts';
import { FOLDED_MAX } from '@dutchbook/contract/listing.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { and, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
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

/** A page of folded batches; `count` is of rows, each of which stands for `folded.count` batches. */
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

/** Columns are read where the newest are chosen: by their ids alone they would be looked up in the whole table. */
function groupsOf(db: Db, filter: BatchFilter) {
  const { id, opportunityId, createdAt, status, simulated } = batches;
  const { totalOrders, expectedOrders, retryCount, targetProfit, actualProfit } = batches;
  const isExposed = sql<boolean>`coalesce((${EXPOSED}), false)`.as('is_exposed');
  const recent = db
    .select({
      ...{ id, opportunityId, createdAt, status, simulated, isExposed },
      ...{ totalOrders, expectedOrders, retryCount, targetProfit, actualProfit },
    })
    .from(batches)
    .where(matching(db, filter))
    .orderBy(desc(createdAt), desc(id))
    .limit(FOLDED_MAX)
    .as('recent');
  const real = (...which: (SQL | undefined)[]) => sql`filter (where ${and(eq(recent.simulated, false), ...which)})`;
  const made = (...which: (SQL | undefined)[]) => sql`coalesce(sum(${recent.actualProfit}) ${real(...which)}, 0)`;
  const inStatus = BATCH_STATUSES.map((each) => sql`count(*) filter (where ${eq(recent.status, each)})`);
  return db
    .select({
      newest: sql<string>`(array_agg(${recent.id} order by ${recent.createdAt} desc, ${recent.id} desc))[1]`.as(
        'newest',
      ),
      ids: sql<string[]>`array_agg(${recent.id})`.as('ids'),
      count: sql`count(*)`.mapWith(Number).as('count'),
      simulated: sql`count(*) filter (where ${recent.simulated})`.mapWith(Number).as('simulated_count'),
      statuses: sql<number[]>`array[${sql.join(inStatus, sql`, `)}]::int[]`.as('statuses'),
      total_orders: sql`sum(${recent.totalOrders})`.mapWith(Number).as('orders'),
      expected_orders: sql`sum(${recent.expectedOrders})`.mapWith(Number).as('expected'),
      retry_count: sql`sum(${recent.retryCount})`.mapWith(Number).as('retries'),
      target_profit_usd: sql`coalesce(sum(${recent.targetProfit}) ${real()}, 0)`.mapWith(dollars).as('target'),
      actual_profit_usd: sql`sum(${recent.actualProfit}) ${real()}`.mapWith(dollars).as('actual'),
      paid_usd: sql`${made(eq(recent.status, 'sold'))}`.mapWith(dollars).as('paid'),
      locked_usd: sql`${made(ne(recent.status, 'sold'), sql`not ${recent.isExposed}`)}`.mapWith(dollars).as('locked'),
      at_risk_usd: sql`${made(sql`${recent.isExposed}`)}`.mapWith(dollars).as('at_risk'),
      first_at: sql<Instant>`min(${recent.createdAt})`.mapWith(createdAt).as('first_at'),
      groups: sql`count(*) over ()`.mapWith(Number).as('groups'),
    })
    .from(recent)
    .groupBy(recent.opportunityId)
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
    .where(and(inArray(batchOrders.batchId, [...ids]), eq(batches.simulated, false), eq(batchOrders.side, 'buy')))
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
