import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { type AnyColumn, asc, type SQL, sql } from 'drizzle-orm';

type Row = { createdAt: Instant; id: string };
type Columns = { createdAt: AnyColumn; id: AnyColumn };

/** What a page is read by: the rows after those that were read, in this order, so many. */
export type PageBounds = { after: SQL | undefined; order: SQL[]; limit: number };

/** A page is read from the database and made into rows in one tick of the event loop. */
export const EXPORT_PAGE = 100;

/** All rows, oldest first, in pages that end where they began whatever is added or deleted meanwhile. */
export async function* oldestFirst<Found extends Row>(
  { createdAt, id }: Columns,
  read: (bounds: PageBounds) => PromiseLike<Found[]>,
): AsyncGenerator<Found[]> {
  let after: SQL | undefined;
  for (;;) {
    const rows: Found[] = await read({ after, order: [asc(createdAt), asc(id)], limit: EXPORT_PAGE });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PAGE) return;
    // As a pair, which an index on both can seek to.
    after = sql`(${createdAt}, ${id}) > (${instantToIso(last.createdAt)}::timestamptz, ${last.id}::uuid)`;
  }
}
