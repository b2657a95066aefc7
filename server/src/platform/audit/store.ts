import type { AuditAction, AuditEntry } from '@dutchbook/contract/audit.ts';
import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, asc, desc, eq, getTableColumns, gt, gte, ilike, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { countWithPage } from '../database/count-with-page.ts';
import { EXPORT_PAGE } from '../database/oldest-first.ts';
import type { Db } from '../runtime/runtime.ts';
import type { AuditRow } from './record.ts';
import { auditLog } from './table.ts';

/** A page of entries is held in memory, and sent, as a whole. */
const PAGE_BYTES_MAX = 2_000_000;

/** JSON as it is written: read as such, the driver would take the text `"{}"` for an object. */
const COLUMNS = { ...getTableColumns(auditLog), before: json('before'), after: json('after') };

function json(column: 'before' | 'after'): SQL<unknown> {
  return sql<unknown>`${auditLog[column]}::text`.mapWith((text: string): unknown => JSON.parse(text));
}

const SIZE = {
  seq: auditLog.seq,
  bytes:
    sql<number>`coalesce(octet_length(${auditLog.before}::text), 0) + coalesce(octet_length(${auditLog.after}::text), 0)`.mapWith(
      Number,
    ),
};

export type AuditFilter = {
  action?: AuditAction | undefined;
  /** Part of an email, in whatever case. */
  actor?: string | undefined;
  object?: string | undefined;
  since?: Instant | undefined;
  until?: Instant | undefined;
};

/** A page ends early where its entries are long: the next page begins after the entries that were served. */
export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  page: { skip: number; limit: number; sortOrder: SortOrder },
): Promise<{ rows: AuditRow[]; count: number }> {
  const where = matching(filter);
  const order = page.sortOrder === 'asc' ? asc(auditLog.seq) : desc(auditLog.seq);
  const sizes = await db.select(SIZE).from(auditLog).where(where).orderBy(order).offset(page.skip).limit(page.limit);
  const rows = await readEntries(db, withinBytes(sizes), order);
  return { rows, count: await countWithPage(page, sizes.length, () => db.$count(auditLog, where)) };
}

/** All that match, oldest first. Each page begins where the one before it ended, however far down the log that is. */
export async function* pagesOfAuditEntries(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  // One that was forged may have any number.
  for (let last: number | undefined; ; ) {
    const sizes = await db
      .select(SIZE)
      .from(auditLog)
      .where(and(matching(filter), last === undefined ? undefined : gt(auditLog.seq, last)))
      .orderBy(asc(auditLog.seq))
      .limit(EXPORT_PAGE);
    const rows = await readEntries(db, withinBytes(sizes), asc(auditLog.seq));
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows;
    last = end.seq;
  }
}

type Size = { seq: number; bytes: number };

/** The first of them, and those after it that fit into a page with it. */
function withinBytes(sizes: readonly Size[]): number[] {
  let bytes = 0;
  const end = sizes.findIndex((size, index) => {
    bytes += size.bytes;
    return index > 0 && bytes > PAGE_BYTES_MAX;
  });
  return sizes.slice(0, end === -1 ? undefined : end).map(({ seq }) => seq);
}

async function readEntries(db: Db, seqs: readonly number[], order: SQL): Promise<AuditRow[]> {
  if (seqs.length === 0) return [];
  return await db
    .select(COLUMNS)
    .from(auditLog)
    .where(inArray(auditLog.seq, [...seqs]))
    .orderBy(order);
}

/** An entry as the calls serve it, before the contract encodes it. */
export function presentAuditEntry(row: AuditRow): AuditEntry {
  const { seq, at, actorId, actor, address, action, object, before, after, hash } = row;
  return { seq, at, actor_id: actorId, actor, address, action, object, before, after, hash };
}

function matching({ action, actor, object, since, until }: AuditFilter): SQL | undefined {
  return and(
    action === undefined ? undefined : eq(auditLog.action, action),
    actor === undefined ? undefined : ilike(auditLog.actor, `%${actor.replaceAll(/[\\%_]/g, '\\$&')}%`),
    object === undefined ? undefined : eq(auditLog.object, object),
    since === undefined ? undefined : gte(auditLog.at, since),
    until === undefined ? undefined : lte(auditLog.at, until),
  );
}
