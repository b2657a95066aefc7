/**
 * Sums of what ended batches spent, so that a decision need not add up the past: what is kept, and what of batches that are under way
 * or have changed since is added up anew (`limit-use.ts`), equal what adding up everything would give.
 */
import { and, asc, gt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { WITHOUT_WAITING } from '../../platform/database/write-together.ts';
import { inPartitions } from '../../platform/engines/in-partitions.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batches, spendingByBatch, spendingTotals } from '../orders/table.ts';
import { costOfShares, HAS_ENDED, heldShares, isHolding, reportedOf, unreportedOf } from './rules.ts';

/** The part that is not of a day; it sorts after all days. */
export const HELD = 'held';

const AT_ONCE = 500;

/**
 * Common table expressions over the batches in `live`: the orders that these bought, without those of `except` and of simulated
 * batches, with the shares that are `held` of them; their attempts, with what was spent by each and the shares that it may still take,
 * `size`; and the orders that are still to be signed. An offset has each table asked for one batch or order after the other, by its
 * index: joined, it may be read whole.
 */
export function spendingOf(except: SQLWrapper = sql`null::uuid`): SQL {
  return sql`bought as materialized (
      select o.*, ${isHolding(sql`b`)} as is_holding, case when ${isHolding(sql`b`)} then ${heldShares(sql`o`)} else 0 end as held
      from live, lateral (select * from batches where id = live.id offset 0) b,
        lateral (select * from batch_orders where batch_id = b.id and side = 'buy' offset 0) o
      where not b.simulated and b.id is distinct from ${except}
    ),
    tried as materialized (
      select o.batch_id, a.price, coalesce(a.fee_rate, o.fee_rate) as fee_rate, o.fee_step, o.is_holding, a.sent_at, a.status,
        reported.spent, ${unreportedOf(sql`a`, sql`reported.size`)} as size
      from bought o, lateral (select * from attempts where order_id = o.id offset 0) a, lateral ${reportedOf(sql`a`)} reported
    ),
    unsigned as (
      select * from bought o where status = 'pending' and not exists (select 1 from attempts a where a.order_id = o.id)
    )`;
}

/** What the shares cost that are held of orders in `bought`. */
export const COST_OF_HELD = sql`sum(${costOfShares(sql`bought`, sql`held`)})`;

/**
 * Of batches that have ended and have nothing more to come: keeps what they spent. Of the others it is added up whenever it is
 * asked for. The caller holds their rows, and has computed their results: lost, all of it is worked out again.
 */
export async function keepSpendingOf(tx: Db, batchIds: readonly string[]): Promise<void> {
  if (batchIds.length === 0) return;
  await tx.execute(sql`
    with live as materialized (select id from unnest(${sql.param(batchIds)}::uuid[]) id), ${spendingOf()},
    counted as materialized (
      select live.id from live join batches b on b.id = live.id
      where ${HAS_ENDED} and live.id not in (select batch_id from tried where size > 0 union select batch_id from unsigned)
    ),
    amounts as (
      select batch_id, to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD') as part, sum(spent) as amount
      from tried where sent_at is not null group by 1, 2
      union all
      select batch_id, ${HELD}, ${COST_OF_HELD} from bought where held > 0 group by 1
    ),
    kept as (select * from ${spendingByBatch} where batch_id = any(${sql.param(batchIds)}::uuid[])),
    changed as materialized (
      select batch_id, part, coalesce(a.amount, 0)::bigint as amount, coalesce(k.amount, 0) as was
      from amounts a full join kept k using (batch_id, part)
      where batch_id in (select id from counted) and a.amount is distinct from k.amount
    ),
    written as (
      insert into ${spendingByBatch} (batch_id, part, amount) select batch_id, part, amount from changed where amount <> was
      on conflict (batch_id, part) do update set amount = excluded.amount
    ),
    summed as (
      insert into ${spendingTotals} as totals (part, total)
      select part, sum(amount - was) from changed group by part having sum(amount - was) <> 0 order by part
      on conflict (part) do update set total = totals.total + excluded.total
    )
    update ${batches} set results_due = false, spending_kept = id in (select id from counted)
    from ${WITHOUT_WAITING} where id in (select id from live)`);
}

/** Keeps the spending of batches that no change will bring up: an earlier version left them, or they were not final. */
export async function keepOlderSpending(db: Db, partitions: readonly number[] | null): Promise<void> {
  let after: string | null = null;
  do after = await keepSpendingAfter(db, partitions, after);
  while (after !== null);
}

/** @returns the id after which there may be more */
async function keepSpendingAfter(
  db: Db,
  partitions: readonly number[] | null,
  after: string | null,
): Promise<string | null> {
  const due = and(
    sql`not spending_kept and ${HAS_ENDED} and not ${batches.resultsDue}`,
    after === null ? undefined : gt(batches.id, after),
    inPartitions(batches.opportunityId, partitions),
  );
  const select = (tx: Db, limit: number) =>
    tx.select({ id: batches.id }).from(batches).where(due).orderBy(asc(batches.id)).limit(limit);
  if ((await select(db, 1)).length === 0) return null;
  return await db.transaction(async (tx) => {
    // What others commit before these rows are held, the next statement sees; after that they wait.
    const rows = await select(tx, AT_ONCE).for('no key update', { skipLocked: true });
    await keepSpendingOf(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.length < AT_ONCE ? null : (rows.at(-1)?.id ?? null);
  });
}
