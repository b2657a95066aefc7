import * as contract from '@dutchbook/contract/notifications.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { App } from '../http/app.ts';
import { NotFound } from '../http/errors.ts';
import { route, routeRead } from '../http/route.ts';
import { openFind } from '../opportunities/find.ts';
import type { Runtime } from '../runtime.ts';
import { changeNotification, removeNotification, retryNotification } from './change.ts';
import { presentNotification, presentStats } from './present.ts';
import { countNotifications, listNotifications, readNotification } from './store.ts';

const DAY_MS = 86_400_000;

export function registerNotifications(app: App, runtime: Pick<Runtime, 'clock' | 'db' | 'pubsub'>): void {
  const { db, clock } = runtime;

  routeRead(app, contract.listNotifications, async ({ query }) => {
    const { rows, count } = await listNotifications(
      db,
      {
        find: await openFind(db, query.q),
        status: query.status,
        notificationType: query.notification_type,
        opportunityId: query.opportunity_id,
      },
      { skip: query.skip, limit: query.limit, sortBy: query.sort_by, sortOrder: query.sort_order },
    );
    return { data: rows.map(presentNotification), count };
  });

  routeRead(app, contract.readNotificationStats, async () =>
    presentStats(await countNotifications(db, instantFromMs(clock.now() - DAY_MS))),
  );

  route(app, contract.readNotification, async ({ params }) => {
    const row = await readNotification(db, params.notification_id);
    if (row === null) throw new NotFound('Notification not found');
    return presentNotification(row);
  });

  route(app, contract.updateNotification, ({ params, body, actor }) =>
    changeNotification(runtime, params.notification_id, body, actor),
  );

  route(app, contract.deleteNotification, async ({ params, actor }) => {
    await removeNotification(runtime, params.notification_id, actor);
    return { message: 'Notification deleted successfully' };
  });

  route(app, contract.retryNotification, ({ params, actor }) =>
    retryNotification(runtime, params.notification_id, actor),
  );
}
