import type { AuditAction, AuditEntry } from '@dutchbook/contract/audit.ts';
import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, asc, count, desc, eq, getTableColumns, gt, gte, ilike, lte, type SQL, sql } from 'drizzle-orm';
import { auditLog } from '../world/schema.ts';
import type { Db } from '../world/world.ts';
import type { AuditRow } from './record.ts';

const PAGE = 500;

/** JSON as it is written: read as such, the driver would take the text `"{}"` for an object. */
const COLUMNS = { ...getTableColumns(auditLog), before: json('before'), after: json('after') };

function json(column: 'before' | 'after'): SQL<unknown> {
  return sql<unknown>`${auditLog[column]}::text`.mapWith((text: string): unknown => JSON.parse(text));
}

export type AuditFilter = {
  action?: AuditAction | undefined;
  /** Part of an email, in whatever case. */
  actor?: string | undefined;
  object?: string | undefined;
  since?: Instant | undefined;
  until?: Instant | undefined;
};

export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  page: { skip: number; limit: number; sortOrder: SortOrder },
): Promise<{ rows: AuditRow[]; count: number }> {
  const where = matching(filter);
  const rows = await db
    .select(COLUMNS)
    .from(auditLog)
    .where(where)
    .orderBy(page.sortOrder === 'asc' ? asc(auditLog.seq) : desc(auditLog.seq))
    .offset(page.skip)
    .limit(page.limit);
  const [total] = await db.select({ count: count() }).from(auditLog).where(where);
  return { rows, count: total?.count ?? 0 };
}

/** All that match, oldest first. Each page begins where the one before it ended, however far down the log that is. */
export async function* pagesOfAuditEntries(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  let last: AuditRow | undefined;
  do {
    const rows: AuditRow[] = await db
      .select(COLUMNS)
      .from(auditLog)
      .where(and(matching(filter), last && gt(auditLog.seq, last.seq)))
      .orderBy(asc(auditLog.seq))
      .limit(PAGE);
    if (rows.length > 0) yield rows;
    last = rows.length < PAGE ? undefined : rows.at(-1);
  } while (last !== undefined);
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
