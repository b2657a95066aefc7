import { and, eq, inArray, sql } from 'drizzle-orm';
import { rowCounts } from './schema.ts';
import type { Db } from './world.ts';

/** How many rows there are of a list, by status and kind; `tries` are those of notifications. */
export type CountedRows = { status: string; kind: string; total: number; tries: number };

/** Read from counts that are kept, so that it takes no longer the more rows there are. */
export async function countedRows(
  db: Db,
  list: (typeof rowCounts.$inferSelect)['list'],
  only: { statuses?: readonly string[] | undefined; kind?: string | undefined } = {},
): Promise<CountedRows[]> {
  return await db
    .select({
      status: rowCounts.status,
      kind: rowCounts.kind,
      total: sql`sum(${rowCounts.total})`.mapWith(Number),
      tries: sql`sum(${rowCounts.tries})`.mapWith(Number),
    })
    .from(rowCounts)
    .where(
      and(
        eq(rowCounts.list, list),
        only.statuses === undefined ? undefined : inArray(rowCounts.status, [...only.statuses]),
        only.kind === undefined ? undefined : eq(rowCounts.kind, only.kind),
      ),
    )
    .groupBy(rowCounts.status, rowCounts.kind);
}

/** All of them together. */
export function totalOf(counted: readonly CountedRows[]): number {
  return counted.reduce((sum, { total }) => sum + total, 0);
}
