/** Statements that are prepared once on each connection: to plan one often takes longer than to carry it out. */
import type { SQLWrapper } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db } from '../runtime/runtime.ts';

export type NamedStatement = { name: string; text: string; params: unknown[] };

const dialect = new PgDialect();
const names = new Map<string, string>();

/** The statement under the name of its text; what is sent so has few different texts. */
export function named(statement: SQLWrapper): NamedStatement {
  const { sql: text, params } = dialect.sqlToQuery(statement.getSQL());
  const name = names.get(text) ?? `named_${names.size}`;
  names.set(text, name);
  return { name, text, params };
}

/** Carries it out, and answers its rows by the names of their columns. */
export async function executeNamed<Row = unknown>(db: Db, statement: SQLWrapper): Promise<Row[]> {
  const { name, text, params } = named(statement);
  const prepared = db._.session.prepareQuery({ sql: text, params }, undefined, name, false);
  const { rows } = (await prepared.execute()) as { rows: Row[] };
  return rows;
}
