/**
 * Writes what batches have in the accounts of money under way: in each transaction that changes what an order may still take, has
 * taken or holds. An entry says what a batch has at that instant, so that writing it twice changes nothing.
 */
import { reservedEntries as entriesOf, type ReservedEntry } from '@dutchbook/engine/order/reserved.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { insertOf } from '../../platform/database/many-rows.ts';
import { WITHOUT_WAITING } from '../../platform/database/write-together.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { attemptsOf, type BatchState, fillsOf, holdersOf, loadBatches } from '../orders/batch-state.ts';
import type { BatchRows } from '../orders/record-batch.ts';
import { attempts, batches } from '../orders/table.ts';
import { reservedBalances, reservedEntries } from './table.ts';

/** Batches without reserved entries, recorded by a version that does not know these accounts. */
export const UNRESERVED = sql`select id from ${batches} where not reserved
  union select batch_id from ${attempts} where not reserved`;

const ANEW_AT_ONCE = 100;
const FOLDED_AT_ONCE = 2000;

/** The reserved entries that follow from a batch's rows. */
export function entriesOfBatch(state: BatchState): ReservedEntry[] {
  const { simulated, status, soldAt, releasedAt } = state.batch;
  return entriesOf({
    isPractice: simulated,
    isHolding: status !== 'sold' && soldAt === null,
    isReleased: releasedAt !== null,
    orders: holdersOf(state).map((order) => ({
      ...order,
      attempts: attemptsOf(state, order.id),
      fills: fillsOf(state, order.id),
    })),
  });
}

type SignedRow = Omit<typeof attempts.$inferSelect, 'orderHash'>;

/** The statement that reserves what a batch takes that is about to be recorded, by its attempts where it is signed already. */
export function reserveNew({ batch, orders }: BatchRows, signed: readonly SignedRow[] = []): SQL {
  const entries = entriesOf({
    isPractice: batch.simulated,
    isHolding: true,
    isReleased: false,
    orders: orders.map((order) => ({
      ...{ ...order, feeStep: order.feeStep ?? (10 as Usd), soldSize: SHARES_ZERO, goneSize: SHARES_ZERO },
      ...{ resolvedValue: null, fills: [], attempts: signed.filter(({ orderId }) => orderId === order.id) },
    })),
  });
  return insertOf(
    reservedEntries,
    entries.map((entry) => ({ batchId: batch.id, ...entry })),
  );
}

/** Brings the entries of a batch that was `before` to what it is now; nothing where no money has moved. */
export function reserveWrites(before: readonly ReservedEntry[], changed: BatchState): SQLWrapper[] {
  const known = new Map(before.map((entry) => [keyOf(entry), entry]));
  const now = entriesOfBatch(changed);
  const left = new Set(now.map(keyOf));
  const rows = [
    ...now.filter((entry) => known.get(keyOf(entry))?.amount !== entry.amount),
    ...before.filter((entry) => !left.has(keyOf(entry))).map((entry) => ({ ...entry, amount: USD_ZERO })),
  ];
  if (rows.length === 0) return [];
  const { id: batchId } = changed.batch;
  const inserted = insertOf(
    reservedEntries,
    rows.map((row) => ({ batchId, ...row })),
  );
  return [sql`${inserted} on conflict (batch_id, account, day) do update set amount = excluded.amount`];
}

function keyOf({ account, day }: ReservedEntry): string {
  return `${account} ${day}`;
}

/** Makes up for what a version has recorded that knows nothing of these accounts. */
export async function reserveUnreserved(db: Db): Promise<void> {
  await reserveAnew(db, sql`id in (${UNRESERVED})`);
}

/**
 * Writes what batches have by their rows, whatever their entries say, and takes away entries of nothing. `where` names batches by the
 * columns of their rows. @returns of how many of them the entries were others
 */
export async function reserveAnew(db: Db, where: SQL): Promise<number> {
  let changed = 0;
  let after: string | null = null;
  do {
    const last: string | null = after;
    const done: Reserved = await db.transaction((tx) => reserveAfter(tx, where, last));
    changed += done.changed;
    after = done.after;
  } while (after !== null);
  return changed;
}

/** `after`: the id after which there may be more. */
type Reserved = { changed: number; after: string | null };

async function reserveAfter(tx: Db, where: SQL, after: string | null): Promise<Reserved> {
  const { rows: locked } = (await tx.execute(sql`select id from ${batches}
    where (${where}) and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${ANEW_AT_ONCE}
    for no key update`)) as unknown as { rows: { id: string }[] };
  if (locked.length === 0) return { changed: 0, after: null };
  const ids = sql`any(${sql.param(locked.map(({ id }) => id))}::uuid[])`;
  const { rows } = (await tx.execute(sql`select batch_id, account, day, amount::float8 from ${reservedEntries}
    where batch_id = ${ids}`)) as unknown as { rows: (ReservedEntry & { batch_id: string })[] };
  // An entry that came to nothing before it was folded has nothing to be folded again.
  await tx.execute(sql`delete from ${reservedEntries} where batch_id = ${ids} and amount = 0 and folded = 0`);
  const known = Map.groupBy(
    rows.filter(({ amount }) => amount !== 0),
    ({ batch_id: batchId }) => batchId,
  );
  let changed = 0;
  for (const state of await loadBatches(tx, sql`id = ${ids}`)) {
    const writes = reserveWrites(known.get(state.batch.id) ?? [], state);
    changed += writes.length;
    for (const write of writes) await tx.execute(write);
  }
  await tx.execute(sql`update ${batches} set reserved = true where id = ${ids} and not reserved`);
  await tx.execute(sql`update ${attempts} set reserved = true where batch_id = ${ids} and not reserved`);
  return { changed, after: locked.length === ANEW_AT_ONCE ? (locked.at(-1)?.id ?? null) : null };
}

/** Adds what entries have changed by to the balances: what is read of them stays as it is, and takes fewer rows. */
export async function foldReserved(db: Db): Promise<void> {
  let isMore = true;
  while (isMore) {
    const { rows } = (await db.execute(sql`
      with due as materialized (
        select batch_id, account, day, amount, folded from ${reservedEntries} where amount <> folded
        order by batch_id, account, day limit ${FOLDED_AT_ONCE} for no key update skip locked
      ),
      written as (
        update ${reservedEntries} e set folded = due.amount from due, ${WITHOUT_WAITING}
        where e.batch_id = due.batch_id and e.account = due.account and e.day = due.day and due.amount <> 0
      ),
      ended as (
        delete from ${reservedEntries} e using due
        where e.batch_id = due.batch_id and e.account = due.account and e.day = due.day and due.amount = 0
      ),
      summed as (
        insert into ${reservedBalances} as balances (account, day, amount)
        select account, day, sum(amount - folded) from due group by 1, 2 order by 1, 2
        on conflict (account, day) do update set amount = balances.amount + excluded.amount
      )
      select count(*)::int as count from due`)) as unknown as { rows: { count: number }[] };
    isMore = rows[0]?.count === FOLDED_AT_ONCE;
  }
}
