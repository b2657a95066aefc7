/** Deletions that can be undone: what is deleted is kept for some minutes, in the transaction that deletes it. */
import { UNDO_MINUTES } from '@dutchbook/contract/endpoint.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { and, eq, getTableColumns, gt, lte, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { NotFound } from '../http/errors.ts';
import type { UserRow } from '../http/signed-in.ts';
import type { Clock, Db, Runtime } from '../runtime/runtime.ts';
import { type DeletedKind, deletedRecords } from './table.ts';

type Deleted = { kind: DeletedKind; id: string };

/** Rows that go together: those of a table that `where` finds, the newest of them where a `limit` with its order is given. */
export type DeletedRows = { table: PgTable; where: SQL; newest?: { by: SQL; limit: number } };

/** Call it before the rows are deleted. Each table comes after those that it refers to. */
export async function keepDeleted(
  tx: Db,
  { clock }: { clock: Clock },
  { kind, id }: Deleted,
  by: Pick<UserRow, 'id'>,
  rows: readonly DeletedRows[],
): Promise<void> {
  const parts = rows.map(({ table, where, newest }) => {
    const some = newest === undefined ? sql`` : sql` order by ${newest.by} desc limit ${newest.limit}`;
    const found = sql`select * from ${table} where ${where}${some}`;
    return sql`${nameOf(table)}::text, (select coalesce(json_agg(r), '[]') from (${found}) r)`;
  });
  const kept = {
    rows: sql`json_build_object(${sql.join(parts, sql`, `)})::jsonb`,
    deletedBy: by.id,
    deletedAt: clock.now(),
  };
  await tx
    .insert(deletedRecords)
    .values({ kind, id, ...kept })
    .onConflictDoUpdate({ target: [deletedRecords.kind, deletedRecords.id], set: kept });
}

/** The ids of the rows of a table that were deleted together, while that can be undone. */
export async function keptIds(tx: Db, deleted: Deleted, table: PgTable): Promise<string[]> {
  const { rows } = (await tx.execute(sql`
    select each ->> 'id' as id from ${deletedRecords}, jsonb_array_elements(${deletedRecords.rows} -> ${nameOf(table)}::text) each
    where ${isOf(deleted)}`)) as unknown as { rows: { id: string }[] };
  return rows.map(({ id }) => id);
}

/**
 * Brings back what the caller has deleted, and for a superuser what any user has, in the order in which it was kept.
 * @throws NotFound when there is nothing to bring back for them
 */
export async function restoreDeleted(
  tx: Db,
  { clock }: { clock: Clock },
  { kind, id }: Deleted,
  user: Pick<UserRow, 'id' | 'isSuperuser'>,
  tables: readonly PgTable[],
): Promise<void> {
  const [kept] = await tx
    .select({ id: deletedRecords.id })
    .from(deletedRecords)
    .where(
      and(
        isOf({ kind, id }),
        gt(deletedRecords.deletedAt, undoableSince(clock)),
        user.isSuperuser ? undefined : eq(deletedRecords.deletedBy, user.id),
      ),
    )
    .for('update');
  if (kept === undefined) {
    throw new NotFound(
      `There is nothing to bring back: the ${kind} was not deleted in the last ${UNDO_MINUTES} minutes by you, or is back already`,
    );
  }
  for (const table of tables) await restoreRows(tx, { kind, id }, table);
  await tx.delete(deletedRecords).where(isOf({ kind, id }));
}

/**
 * What the database makes by itself it makes anew, and a column that came with a later version than the rows has its default.
 */
async function restoreRows(tx: Db, deleted: Deleted, table: PgTable): Promise<void> {
  const kept = sql`(select ${deletedRecords.rows} -> ${nameOf(table)}::text from ${deletedRecords} where ${isOf(deleted)})`;
  const { rows: known } = (await tx.execute(sql`select jsonb_object_keys(${kept} -> 0) as name`)) as unknown as {
    rows: { name: string }[];
  };
  const columns = Object.values(getTableColumns(table)).filter(
    ({ name, generated, generatedIdentity }) =>
      generated === undefined && generatedIdentity === undefined && known.some((each) => each.name === name),
  );
  if (columns.length === 0) return;
  const names = sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  await tx.execute(sql`
    insert into ${table} (${names})
    select ${names} from jsonb_populate_recordset(null::${table}, ${kept}) kept_row where ${ownersStand(table)}`);
}

/** Whether the owners of a kept row still exist: their deletion would have removed the row too. */
function ownersStand(table: PgTable): SQL {
  const standing = getTableConfig(table)
    .foreignKeys.filter(({ onDelete }) => onDelete === 'cascade')
    .map((key) => {
      const { columns, foreignTable, foreignColumns } = key.reference();
      const pairs = columns.map(
        ({ name }, nth) =>
          sql`owner_row.${sql.identifier(foreignColumns[nth]?.name ?? name)} = kept_row.${sql.identifier(name)}`,
      );
      return sql`exists (select 1 from ${foreignTable} owner_row where ${sql.join(pairs, sql` and `)})`;
    });
  return standing.length === 0 ? sql`true` : sql.join(standing, sql` and `);
}

/** Forgets what can no longer be undone. */
export async function forgetDeleted({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<void> {
  await db.delete(deletedRecords).where(lte(deletedRecords.deletedAt, undoableSince(clock)));
}

function undoableSince(clock: Clock) {
  return instantFromMs(clock.now() - UNDO_MINUTES * 60_000);
}

function isOf({ kind, id }: Deleted): SQL | undefined {
  return and(eq(deletedRecords.kind, kind), eq(deletedRecords.id, id));
}

function nameOf(table: PgTable): string {
  return getTableConfig(table).name;
}
