import type { SortOrder } from '@dutchbook/contract/listing.ts';
import { type AnyColumn, and, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { indexOrder, isAlwaysKnown, orderedBy } from './ordering.ts';
import type { Db } from './world.ts';

/** Rows of a list: where they stand, what they are sorted by, and whose id is asked for, where it is not their own. */
export type Part = {
  from: PgTable | SQL;
  where?: SQL | undefined;
  id: AnyColumn;
  value: AnyColumn | SQL;
  asked?: AnyColumn;
};

/** A part that is read in an order that its rows need not be sorted for. */
export type Reading = { part: Part; order: SQL[] };

export type IdPage = { skip: number; limit: number; sortOrder: SortOrder };

/** The statement for the ids of a page whose rows stand in several parts, none of which is read further than the page. */
export function pageOfIds(readings: readonly Reading[], { skip, limit, sortOrder }: IdPage): SQL {
  const read = readings.map(({ part: { from, where = sql`true`, id, value, asked = id }, order }) => {
    const rows = sql`select ${asked} as asked, ${id} as id, ${value} as value from ${from} where ${where}`;
    return sql`(${rows} order by ${sql.join(order, sql`, `)} limit ${skip + limit})`;
  });
  const order = sortOrder === 'asc' ? sql`value, id` : sql`value desc nulls last, id desc`;
  return sql`select asked from (${sql.join(read, sql` union all `)}) as found
    order by ${order} limit ${limit} offset ${skip}`;
}

export async function readIds(db: Db, statement: SQL): Promise<string[]> {
  const { rows } = (await db.execute(statement)) as unknown as { rows: { asked: string }[] };
  return rows.map(({ asked }) => asked);
}

/** As the ids stand; those that are gone meanwhile are missing. */
export function inOrderOf<Row>(ids: readonly string[], rows: readonly Row[], idOf: (row: Row) => string): Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Of rows that are few, or that have an index which this order is read from as it is. */
export function readAsIs(part: Part, sortOrder: SortOrder): Reading {
  return { part, order: orderedBy(part.value, sortOrder, part.id) };
}

/** By an index on value and id. Downwards it begins with what is unknown, which comes last: that is read by itself. */
export function readByIndex(part: Part, sortOrder: SortOrder): Reading[] {
  const order = indexOrder(part.value, sortOrder, part.id);
  if (sortOrder === 'asc' || isAlwaysKnown(part.value)) return [{ part, order }];
  return [isNotNull(part.value), isNull(part.value)].map((among) => ({ part: only(part, among), order }));
}

/** By what is true or false of a row and no index knows: each half by the ids. */
export function readInHalves(part: Part & { value: SQL }, sortOrder: SortOrder): Reading[] {
  const order = indexOrder(part.id, sortOrder, part.id);
  return [part.value, sql`not ${part.value}`].map((among) => ({ part: only(part, among), order }));
}

function only(part: Part, among: SQL): Part {
  return { ...part, where: and(part.where, among) };
}
