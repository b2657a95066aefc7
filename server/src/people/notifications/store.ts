import { NOTIFICATION_SUBJECTS } from '@dutchbook/contract/list-values.ts';
import { FOLDED_MAX, type SortOrder } from '@dutchbook/contract/listing.ts';
import type { NotificationType } from '@dutchbook/contract/notification-types.ts';
import type { NOTIFICATION_SORTS, NotificationStatus } from '@dutchbook/contract/notifications.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import {
  type AnyColumn,
  and,
  desc,
  eq,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { venueIn } from '../../platform/database/columns.ts';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import { holds, idBeginsWith } from '../../platform/database/find.ts';
import { oldestFirst } from '../../platform/database/oldest-first.ts';
import { indexOrder, knownFirst, type Part, textInsensitive } from '../../platform/database/ordering.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { countedNotifications, totalOf } from './counts.ts';
import { notifications } from './table.ts';

export type NotificationRow = typeof notifications.$inferSelect;

export type NotificationFilter = {
  /** A text, and the ids of the opportunities that it finds. */
  find?: { q: string; opportunities: SQL } | undefined;
  status?: NotificationStatus | undefined;
  notificationTypes?: readonly NotificationType[] | undefined;
  opportunityId?: string | undefined;
  /** A venue, and the ids of the opportunities with a position there. */
  at?: { venue: VenueName; opportunities: SQL } | undefined;
  /** The row that they are folded under; null where there is none. */
  like?: NotificationRow | null | undefined;
};

type NotificationSort = (typeof NOTIFICATION_SORTS)[number];

export const SORT_COLUMNS = {
  id: notifications.id,
  opportunity_id: notifications.opportunityId,
  notification_type: notifications.notificationType,
  message: textInsensitive(notifications.message),
  status: notifications.status,
  sent_at: notifications.sentAt,
  attempts: notifications.attempts,
  created_at: notifications.createdAt,
  updated_at: notifications.updatedAt,
  error_message: textInsensitive(notifications.errorMessage),
} satisfies Record<NotificationSort, unknown>;

const MAY_BE_UNKNOWN: { [sort in NotificationSort]?: AnyColumn } = {
  opportunity_id: notifications.opportunityId,
  sent_at: notifications.sentAt,
  error_message: notifications.errorMessage,
};

export type NotificationPage = { skip: number; limit: number; sortBy: NotificationSort; sortOrder: SortOrder };

export async function listNotifications(
  db: Db,
  filter: NotificationFilter,
  page: NotificationPage,
): Promise<{ rows: NotificationRow[]; count: number }> {
  const rows = await pageOfNotifications(db, filter, page);
  return { rows, count: await countWithPage(page, rows.length, () => countMatching(db, filter)) };
}

/** The statement that reads a page, each sort from an index. */
export function pageOfNotifications(
  db: Db,
  filter: NotificationFilter,
  { skip, limit, sortBy, sortOrder }: NotificationPage,
): PromiseLike<NotificationRow[]> & SQLWrapper {
  const value: AnyColumn | SQL = SORT_COLUMNS[sortBy];
  const part = ({ among, order }: Part) =>
    db
      .select()
      .from(notifications)
      .where(and(among, matching(filter)))
      .orderBy(...order);
  const order = indexOrder(value, sortOrder, notifications.id);
  const column = MAY_BE_UNKNOWN[sortBy];
  if (column === undefined) return part({ order }).offset(skip).limit(limit);
  const { known, unknown } = knownFirst(column, order);
  const end = skip + limit;
  return unionAll(part(known).limit(end), part(unknown).limit(end)).offset(skip).limit(limit);
}

/** All of them, oldest first. */
export function pagesOfNotifications(
  db: Db,
  filter: NotificationFilter & { ids?: readonly string[] | undefined },
): AsyncGenerator<NotificationRow[]> {
  const { ids } = filter;
  return oldestFirst(notifications, ({ after, order, limit }) =>
    db
      .select()
      .from(notifications)
      .where(and(matching(filter), ids && inArray(notifications.id, [...ids]), after))
      .orderBy(...order)
      .limit(limit),
  );
}

/** Counts rows only where no kept counter fits: by opportunity, which are few, and by search. */
async function countMatching(db: Db, filter: NotificationFilter): Promise<number> {
  const { opportunityId, find, at, like } = filter;
  if ([opportunityId, find, at, like].some((narrow) => narrow !== undefined)) {
    return await db.$count(notifications, matching(filter));
  }
  return totalOf(await countedNotifications(db, filter));
}

export async function readNotification(db: Db, id: string): Promise<NotificationRow | null> {
  const [row] = await db.select().from(notifications).where(eq(notifications.id, id));
  return row ?? null;
}

/** As they stand now, in no order; those that are gone are missing. */
export async function readNotifications(db: Db, ids: readonly string[]): Promise<NotificationRow[]> {
  return await db
    .select()
    .from(notifications)
    .where(inArray(notifications.id, [...ids]));
}

/** Reads the row and locks it until the transaction ends. */
export async function lockNotification(tx: Db, id: string): Promise<NotificationRow | null> {
  const [row] = await tx.select().from(notifications).where(eq(notifications.id, id)).for('update');
  return row ?? null;
}

export async function updateNotification(
  tx: Db,
  row: NotificationRow,
  changes: Pick<NotificationRow, 'updatedAt'> &
    Partial<Pick<NotificationRow, 'message' | 'data' | 'status' | 'triesLeft' | 'retriedAt' | 'sendingId'>>,
): Promise<NotificationRow> {
  await tx.update(notifications).set(changes).where(eq(notifications.id, row.id));
  return { ...row, ...changes };
}

/** The ids of the row and of all that it stands for in a folded list of `filter`, locked until the transaction ends. */
export async function lockFoldedUnder(tx: Db, row: NotificationRow, filter: NotificationFilter): Promise<string[]> {
  const { id, createdAt } = notifications;
  const isOlder = or(lt(createdAt, row.createdAt), and(eq(createdAt, row.createdAt), lte(id, row.id)));
  // As many of the newest as the folded list reads: what its rows count, and no older ones that it does not show.
  const recent = tx
    .select({ id })
    .from(notifications)
    .where(matching(filter))
    .orderBy(desc(createdAt), desc(id))
    .limit(FOLDED_MAX);
  const rows = await tx
    .select({ id })
    .from(notifications)
    .where(or(eq(id, row.id), and(inArray(id, recent), isFoldedUnder(row), isOlder)))
    .orderBy(desc(createdAt), desc(id))
    .for('update');
  return rows.map((each) => each.id);
}

export async function deleteNotifications(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.delete(notifications).where(inArray(notifications.id, [...ids]));
}

/** How many there are, by status and since `recentSince`, and how often sending them was tried. */
export async function countNotifications(db: Db, recentSince: Instant) {
  const counted = await countedNotifications(db);
  const total = totalOf(counted);
  const tries = counted.reduce((sum, one) => sum + one.tries, 0);
  const of = (status: NotificationStatus) => totalOf(counted.filter((one) => one.status === status));
  return {
    total,
    pending: of('pending'),
    sent: of('sent'),
    failed: of('failed'),
    attention: totalOf(await countedNotifications(db, { notificationTypes: NOTIFICATION_SUBJECTS.attention })),
    recent: await db.$count(notifications, gte(notifications.createdAt, recentSince)),
    averageAttempts: total === 0 ? null : tries / total,
  };
}

export function matching(filter: NotificationFilter): SQL | undefined {
  const { find, status, notificationTypes, opportunityId, at, like } = filter;
  return and(
    status === undefined ? undefined : eq(notifications.status, status),
    notificationTypes && inArray(notifications.notificationType, [...notificationTypes]),
    opportunityId === undefined ? undefined : eq(notifications.opportunityId, opportunityId),
    find && isFound(find),
    at && isAbout(at),
    like === undefined ? undefined : isFoldedUnder(like),
  );
}

function isFoldedUnder(like: NotificationRow | null): SQL | undefined {
  if (like === null) return sql`false`;
  const { notificationType, opportunityId, message } = notifications;
  return and(
    eq(notificationType, like.notificationType),
    like.opportunityId === null
      ? and(isNull(opportunityId), eq(message, like.message))
      : eq(opportunityId, like.opportunityId),
  );
}

function isAbout({ venue, opportunities }: NonNullable<NotificationFilter['at']>): SQL | undefined {
  const { data, opportunityId } = notifications;
  return or(
    sql`${data} ->> 'venue' = ${venue}`,
    sql`${data} ? 'market_id' and ${venueIn(sql`(${data} ->> 'market_id')`)} = ${venue}`,
    sql`${opportunityId} in (${opportunities})`,
  );
}

function isFound(find: NonNullable<NotificationFilter['find']>): SQL | undefined {
  return or(
    idBeginsWith(notifications.id, find),
    idBeginsWith(notifications.opportunityId, find),
    holds(notifications.message, find),
    sql`${notifications.opportunityId} in ${find.opportunities}`,
  );
}
