/** One table from one PostgreSQL to another, exactly. Rows travel as the database's own text, never as JavaScript values. */
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** Name with its schema, quoted, and what of a row is stored rather than derived. */
export type Table = { name: string; columns: readonly string[] };

/** The tables of a schema, each after those it refers to. One in partitions is one table: the target may part it otherwise. */
export async function tablesOf(session: Client, schema: string): Promise<Table[]> {
  const { rows } = await session.query(
    `select c.oid::int as oid, format('%I.%I', n.nspname, c.relname) as name,
       array(select quote_ident(attname) from pg_attribute
             where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
       array(select confrelid::int from pg_constraint where contype = 'f'
             and (conrelid = c.oid or conrelid in (select relid from pg_partition_tree(c.oid)))) as refers_to
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition order by name`,
    [schema],
  );
  return inOrderOfReference(rows as (Table & { oid: number; refers_to: number[] })[]);
}

function inOrderOfReference(tables: (Table & { oid: number; refers_to: number[] })[]): Table[] {
  const ordered = new Set<(typeof tables)[number]>();
  const add = (table: (typeof tables)[number], path: readonly number[]) => {
    if (ordered.has(table) || path.includes(table.oid)) return;
    for (const other of tables) if (table.refers_to.includes(other.oid)) add(other, [...path, table.oid]);
    ordered.add(table);
  };
  for (const table of tables) add(table, []);
  return [...ordered].map(({ name, columns }) => ({ name, columns }));
}

export type Digest = { rows: string; sum: string };

/** How many rows, and a sum over the hash of each, in which their order plays no part. */
export async function digestOf(session: Client, { name, columns }: Table): Promise<Digest> {
  const { rows } = await session.query(
    `select count(*)::text as rows, coalesce(sum(('x' || left(md5(row_to_json(t)::text), 15))::bit(60)::bigint), 0)::text as sum
     from (select ${columns.join(', ')} from ${name}) t`,
  );
  return rows[0] as Digest;
}

/** Copies all rows in one statement of the target: afterwards it has all of them or none. */
export async function copyRows(source: Client, target: Client, { name, columns }: Table): Promise<void> {
  const stored = `${name} (${columns.join(', ')})`;
  const rows = source.query(copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout`));
  await pipeline(rows, target.query(copyFrom(`copy ${stored} from stdin`)));
}
