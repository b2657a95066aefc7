import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';

/**
 * Many rows as one parameter, to be selected from in a statement: the drivers take longer over thousands of parameters
 * than the database over the rows. The rows have the same fields. With a limit the planner takes them for ten and finds those of the
 * table by its index; for a hundred, as it would, it reads tables of some thousand rows whole.
 */
export function rowsOf<Table extends PgTable>(table: Table, rows: readonly Partial<Table['$inferInsert']>[]): SQL {
  return sql`${FEW}${rowsAs(shapeOf(table, rows), rows)} limit ${rows.length})`;
}

const FEW = sql.raw('(select * from ');

function rowsAs(
  { columns, before, after }: Pick<Shape, 'columns' | 'before' | 'after'>,
  rows: readonly Record<string, unknown>[],
): SQL {
  const written = rows.map((row) => {
    const one: Record<string, unknown> = {};
    for (const { key, column, isJson } of columns) {
      const value = row[key] ?? null;
      // What is JSON in the table is JSON here as well, and not a text of it.
      one[column.name] = value === null || isJson ? value : column.mapToDriverValue(value);
    }
    return one;
  });
  return sql`${before}${JSON.stringify(written)}${after}`;
}

/** What an update from such rows, called `v`, sets: all their fields but the id, which says whose they are. */
export function setOf<Table extends PgTable>(
  table: Table,
  rows: readonly Partial<Table['$inferInsert']>[],
): PgUpdateSetSource<Table> {
  const columns = columnsIn(table, rows).filter(([, { name }]) => name !== 'id');
  const values = columns.map(([key, { name }]) => [key, sql`v.${sql.identifier(name)}`]);
  return Object.fromEntries(values) as PgUpdateSetSource<Table>;
}

/** The statement that inserts rows with the same fields; something may be said after it of what is there already. */
export function insertOf<Table extends PgTable>(table: Table, rows: readonly Table['$inferInsert'][]): SQL {
  const { inserting, ...shape } = shapeOf(table, rows);
  return sql`${inserting}${rowsAs(shape, rows)}`;
}

/** `insertOf` with an additional column whose value the database computes. */
export function insertWith<Table extends PgTable>(
  table: Table,
  rows: readonly Partial<Table['$inferInsert']>[],
  { name }: PgColumn,
  value: SQL,
): SQL {
  const { names, ...shape } = shapeOf(table, rows);
  return sql`${shape.into}${names}, ${sql.identifier(name)}${SELECT}${names}, ${value}${FROM}${rowsAs(shape, rows)}`;
}

const SELECT = sql.raw(') select ');
const FROM = sql.raw(' from ');

/** What an insert on conflict sets these columns to: what it would have inserted. */
export function setExcluded(columns: readonly PgColumn[]): SQL {
  const values = columns.map(({ name }) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`);
  return sql.join(values, sql`, `);
}

type Shape = {
  columns: readonly { key: string; column: PgColumn; isJson: boolean }[];
  /** An insert up to its rows. */
  inserting: SQL;
  into: SQL;
  names: SQL;
  before: SQL;
  after: SQL;
};

/** Statement texts by table and given fields: building them takes longer than writing the rows. */
const shapes = new WeakMap<PgTable, Map<string, Shape>>();

function shapeOf(table: PgTable, [first = {}]: readonly Record<string, unknown>[]): Shape {
  const ofTable = shapes.get(table) ?? new Map<string, Shape>();
  shapes.set(table, ofTable);
  const given = Object.keys(first).filter((key) => first[key] !== undefined);
  const known = ofTable.get(given.join());
  if (known !== undefined) return known;
  const columns = columnsIn(table, [first]).map(([key, column]) => ({ key, column, isJson: isJson(column) }));
  const names = columns.map(({ column }) => `"${column.name}"`).join(', ');
  const name = `"${getTableName(table)}"`;
  // To make a jsonb of each JSON within takes the database three times as long as to make one of all and take its parts.
  const json = columns.some(({ column }) => column.getSQLType() === 'jsonb') ? 'jsonb' : 'json';
  const made = {
    columns,
    inserting: sql.raw(`insert into ${name} (${names}) select ${names} from `),
    into: sql.raw(`insert into ${name} (`),
    names: sql.raw(names),
    before: sql.raw(`${json}_populate_recordset(null::${name}, `),
    after: sql.raw(`::${json})`),
  };
  ofTable.set(given.join(), made);
  return made;
}

/** Columns with a type of their own count by what they are in the database. */
function isJson(column: PgColumn): boolean {
  return column.getSQLType() === 'jsonb' || column.getSQLType() === 'json';
}

function columnsIn(table: PgTable, [first = {}]: readonly Record<string, unknown>[]): [string, PgColumn][] {
  return Object.entries<PgColumn>(getTableColumns(table)).filter(([key]) => first[key] !== undefined);
}
