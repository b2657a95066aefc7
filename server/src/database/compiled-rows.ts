/** Drizzle's way to the database. It finds out anew for every value of every row how that is read; here each statement does so once. */
import { Column, is, SQL, Subquery } from 'drizzle-orm';
import { NodePgDatabase, NodePgSession } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Pool } from 'pg';
import type { Db } from '../runtime.ts';

/** A database for all that is read outside transactions by `compiledRows`, and within them as Drizzle does. */
export function drizzleOn(pool: Pool): Db & { $client: Pool } {
  const dialect = new PgDialect();
  const session = new CompiledSession(pool, dialect, undefined);
  return Object.assign(new NodePgDatabase(dialect, session, undefined), { $client: pool });
}

type Fields = Parameters<NodePgSession<never, never>['prepareQuery']>[1];

class CompiledSession extends NodePgSession<Record<string, never>, Record<string, never>> {
  override prepareQuery<T extends { execute: unknown; all: unknown; values: unknown }>(
    ...[query, fields, name, inArrayMode, mapper, ...rest]: Parameters<NodePgSession<never, never>['prepareQuery']>
  ) {
    const read = mapper ?? compiledRows(fields);
    return super.prepareQuery<T>(query, fields, name, inArrayMode, read as never, ...rest);
  }
}

type Decoder = { mapFromDriverValue: (value: unknown) => unknown };

/** Reads rows as lists of values into objects; undefined where parts of a row are objects of their own, which may be missing. */
function compiledRows(fields: Fields): ((rows: unknown[][]) => unknown[]) | undefined {
  if (fields === undefined || fields.some(({ path, field }) => path.length > 1 || is(field, Subquery)))
    return undefined;
  const names = fields.map(({ path: [name = ''] }) => name);
  const decoders = fields.map(({ field }) => decoderOf(field as Column | SQL | SQL.Aliased));
  const empty = emptyRow(names);
  return (rows) =>
    rows.map((values) => {
      const row = { ...empty };
      for (let at = 0; at < names.length; at += 1) {
        const value = values[at];
        const decoder = value === null ? null : decoders[at];
        row[names[at] as string] = decoder ? decoder.mapFromDriverValue(value) : value;
      }
      return row;
    });
}

/**
 * To be copied and filled: V8 makes a hash table of a row that has been given more than a dozen fields one by one, several times
 * as large and slower to read and to copy. Of what JSON says it makes none.
 */
function emptyRow(names: readonly string[]): Record<string, unknown> {
  return JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join()}}`) as Record<string, unknown>;
}

/** Null where a value stays as the driver read it. */
function decoderOf(field: Column | SQL | SQL.Aliased): Decoder | null {
  if (is(field, Column)) return field.mapFromDriverValue === Column.prototype.mapFromDriverValue ? null : field;
  // Drizzle has it, but does not say so.
  return ((is(field, SQL.Aliased) ? field.sql : field) as unknown as { decoder: Decoder }).decoder;
}
