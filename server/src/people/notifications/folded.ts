/** The list of notifications with one row, the newest, for all that say the like. */
import { FOLDED_MAX } from '@dutchbook/contract/listing.ts';
import type { ListedNotification } from '@dutchbook/contract/notifications.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { orderedBy } from '../../platform/database/ordering.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import {
  matching,
  type NotificationFilter,
  type NotificationPage,
  type NotificationRow,
  SORT_COLUMNS,
} from './store.ts';
import { notifications } from './table.ts';

export type FoldedRow = NotificationRow & { folded: NonNullable<ListedNotification['folded']> };

/** One page of them; `count` is of rows, each of which stands for `folded.count` notifications. */
export async function listFolded(
  db: Db,
  filter: NotificationFilter,
  { skip, limit, sortBy, sortOrder }: NotificationPage,
): Promise<{ rows: FoldedRow[]; count: number }> {
  const groups = groupsOf(db, filter);
  const rows = await db
    .select({
      row: getTableColumns(notifications),
      count: groups.count,
      firstAt: groups.firstAt,
      failed: groups.failed,
      groups: groups.groups,
    })
    .from(groups)
    .innerJoin(notifications, eq(notifications.id, groups.newest))
    .orderBy(...orderedBy(SORT_COLUMNS[sortBy], sortOrder, notifications.id))
    .offset(skip)
    .limit(limit);
  const counted = rows[0]?.groups ?? (skip === 0 ? 0 : await db.$count(groups));
  return {
    rows: rows.map(({ row, count, firstAt, failed }) => ({ ...row, folded: { count, first_at: firstAt, failed } })),
    count: counted,
  };
}

function groupsOf(db: Db, filter: NotificationFilter) {
  const { id, notificationType, opportunityId, message, status, createdAt } = notifications;
  const recent = db
    .select({ id, notificationType, opportunityId, message, status, createdAt })
    .from(notifications)
    .where(matching(filter))
    .orderBy(desc(createdAt), desc(id))
    .limit(FOLDED_MAX)
    .as('recent');
  const text = sql`case when ${recent.opportunityId} is null then ${recent.message} end`;
  return db
    .select({
      newest: sql<string>`(array_agg(${recent.id} order by ${recent.createdAt} desc, ${recent.id} desc))[1]`.as(
        'newest',
      ),
      count: sql<number>`count(*)::int`.as('count'),
      failed: sql<number>`(count(*) filter (where ${recent.status} = 'failed'))::int`.as('failed'),
      firstAt: sql<Instant>`min(${recent.createdAt})`.mapWith(createdAt).as('first_at'),
      groups: sql<number>`(count(*) over ())::int`.as('groups'),
    })
    .from(recent)
    .groupBy(recent.notificationType, recent.opportunityId, text)
    .as('folded');
}
