/** One table from one PostgreSQL to another, exactly. Rows travel as the database's own JSON text, never as JavaScript values. */

import type { Session } from '../world/unfinished-copy.ts';

/** Name with its schema, quoted, and what of a row is stored rather than derived. */
export type Table = { name: string; columns: readonly string[]; key: readonly string[] };

const ROWS_AT_ONCE = 2000;

/** The tables of a schema that hold rows themselves, each after those it refers to. */
export async function tablesOf(session: Session, schema: string): Promise<Table[]> {
  const { rows } = await session.query(
    `select c.oid::int as oid, format('%I.%I', n.nspname, c.relname) as name,
       array(select quote_ident(attname) from pg_attribute
             where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
       array(select quote_ident(a.attname) from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
             where i.indrelid = c.oid and i.indisprimary) as key,
       array(select confrelid::int from pg_constraint where conrelid = c.oid and contype = 'f') as refers_to
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind = 'r' order by name`,
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
  return [...ordered].map(({ name, columns, key }) => ({ name, columns, key }));
}

export type Digest = { rows: string; sum: string };

/** How many rows, and a sum over the hash of each, in which their order plays no part. */
export async function digestOf(session: Session, { name, columns }: Table): Promise<Digest> {
  const { rows } = await session.query(
    `select count(*)::text as rows, coalesce(sum(('x' || left(md5(row_to_json(t)::text), 15))::bit(60)::bigint), 0)::text as sum
     from (select ${columns.join(', ')} from ${name}) t`,
  );
  return rows[0] as Digest;
}

/** Copies all rows in one transaction of the target: afterwards it has all of them or none. */
export async function copyRows(source: Session, target: Session, table: Table): Promise<void> {
  const columns = table.columns.join(', ');
  const order = table.key.length > 0 ? `order by ${table.key.join(', ')}` : '';
  await source.query('begin isolation level repeatable read read only');
  await target.query('begin');
  try {
    await source.query(
      `declare copied cursor for select row_to_json(t)::text as row from (select ${columns} from ${table.name} ${order}) t`,
    );
    for (;;) {
      const { rows } = await source.query(`fetch ${ROWS_AT_ONCE} from copied`);
      if (rows.length === 0) break;
      await target.query(
        `insert into ${table.name} (${columns}) overriding system value
         select ${columns} from json_populate_recordset(null::${table.name}, $1::json)`,
        [`[${rows.map(({ row }) => row).join(',')}]`],
      );
    }
    await target.query('commit');
  } catch (error) {
    await target.query('rollback');
    throw error;
  } finally {
    await source.query('rollback');
  }
}
