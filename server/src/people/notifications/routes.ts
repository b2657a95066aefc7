import { NOTIFICATION_SUBJECTS } from '@dutchbook/contract/list-values.ts';
import type { NotificationType } from '@dutchbook/contract/notification-types.ts';
import * as contract from '@dutchbook/contract/notifications.ts';
import { readNotificationStats } from '@dutchbook/contract/sending-status.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { SQL } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { exportRows } from '../../platform/csv/export-rows.ts';
import { sendCsv } from '../../platform/csv/send-csv.ts';
import type { App } from '../../platform/http/app.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { route, routeRead } from '../../platform/http/route.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { changeNotification, removeNotification, restoreNotification, retryNotification } from './change.ts';
import { listFolded } from './folded.ts';
import { presentNotification, presentStats } from './present.ts';
import {
  countNotifications,
  listNotifications,
  type NotificationFilter,
  pagesOfNotifications,
  readNotification,
} from './store.ts';

const DAY_MS = 86_400_000;

/** The ids of the opportunities that a text finds, and of those with a position at a venue. */
type Opportunities = { found: (db: Db, q: string) => Promise<SQL>; at: (venue: VenueName) => SQL };

export function registerNotifications(
  app: App,
  runtime: Pick<Runtime, 'clock' | 'config' | 'db' | 'dbFor' | 'pubsub'>,
  opportunities: Opportunities,
): void {
  const { db, clock } = runtime;
  const { lists, exports } = runtime.dbFor;

  routeRead(app, contract.listNotifications, async ({ query }) => {
    const page = { skip: query.skip, limit: query.limit, sortBy: query.sort_by, sortOrder: query.sort_order };
    const filter = await filterOf(lists, opportunities, query);
    if (query.folded !== true) {
      const { rows, count } = await listNotifications(lists, filter, page);
      return { data: rows.map(presentNotification), count };
    }
    const { rows, count } = await listFolded(lists, filter, page);
    return { data: rows.map(({ folded, ...row }) => ({ ...presentNotification(row), folded })), count };
  });

  route(app, contract.exportNotifications, async ({ query, reply }) => {
    const pages = pagesOfNotifications(exports, {
      ...(await filterOf(exports, opportunities, query)),
      ids: query.ids,
    });
    const pieces = exportRows(contract.notification, contract.NOTIFICATION_SORTS, pages, (rows) =>
      rows.map(presentNotification),
    );
    return sendCsv(reply, 'notifications', runtime, pieces);
  });

  routeRead(app, readNotificationStats, async () =>
    presentStats(await countNotifications(lists, instantFromMs(clock.now() - DAY_MS))),
  );

  route(app, contract.readNotification, async ({ params }) => {
    const row = await readNotification(db, params.notification_id);
    if (row === null) throw new NotFound('Notification not found');
    return presentNotification(row);
  });

  route(app, contract.updateNotification, ({ params, body, actor }) =>
    changeNotification(runtime, params.notification_id, body, actor),
  );

  route(app, contract.deleteNotification, async ({ params, query, user, actor }) => {
    const under = query.folded === true ? await filterOf(db, opportunities, query) : undefined;
    const gone = await removeNotification(runtime, params.notification_id, { user, actor }, under);
    return { message: `${gone === 1 ? 'Notification' : `${gone} notifications`} deleted successfully` };
  });

  route(app, contract.restoreNotification, ({ params, user, actor }) =>
    restoreNotification(runtime, params.notification_id, { user, actor }),
  );

  route(app, contract.retryNotification, ({ params, actor }) =>
    retryNotification(runtime, params.notification_id, actor),
  );
}

async function filterOf(
  db: Db,
  opportunities: Opportunities,
  query: Omit<z.output<typeof contract.exportNotifications.query>, 'ids'>,
): Promise<NotificationFilter> {
  return {
    find: query.q === undefined ? undefined : { q: query.q, opportunities: await opportunities.found(db, query.q) },
    status: query.status,
    notificationTypes: typesAsked(query),
    opportunityId: query.opportunity_id,
    at: query.venue && { venue: query.venue, opportunities: opportunities.at(query.venue) },
    like: query.like === undefined ? undefined : await readNotification(db, query.like),
  };
}

/** The types that fulfil both filters; all without a filter. */
function typesAsked({
  subject,
  notification_type: type,
}: z.output<typeof contract.exportNotifications.query>): readonly NotificationType[] | undefined {
  const ofSubject: readonly NotificationType[] | undefined = subject && NOTIFICATION_SUBJECTS[subject];
  if (type === undefined) return ofSubject;
  return ofSubject === undefined || ofSubject.includes(type) ? [type] : [];
}
