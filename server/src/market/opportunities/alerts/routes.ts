import * as contract from '@dutchbook/contract/attention.ts';
import { lockCaller } from '../../../people/users/change.ts';
import { recordAction } from '../../../platform/audit/record.ts';
import type { App } from '../../../platform/http/app.ts';
import { route } from '../../../platform/http/route.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { addAlert, listAlerts, removeAlert } from './store.ts';

/** Alerts belong to the user who asked for them; viewers have their own like any other user. */
export function registerAlerts(app: App, runtime: Pick<Runtime, 'db' | 'dbFor' | 'clock' | 'random' | 'pubsub'>): void {
  const { db, dbFor, pubsub } = runtime;

  route(app, contract.listAlerts, ({ query, user }) => listAlerts(dbFor.lists, user.id, query));

  route(app, contract.createAlert, ({ body, user, actor }) =>
    db.transaction(async (tx) => {
      const { id: userId } = await lockCaller(tx, user);
      const { opportunity_id: opportunityId, at_percentage: atPercentage, by_mail: byMail = false } = body;
      const after = await addAlert(tx, runtime, { userId, opportunityId, atPercentage, byMail });
      await pubsub.publish(tx, 'alerts_changed');
      await recordAction(tx, runtime, actor, { action: 'alert.created', object: opportunityId, after });
      return after;
    }),
  );

  route(app, contract.deleteAlert, async ({ params, user, actor }) => {
    await db.transaction(async (tx) => {
      const before = await removeAlert(tx, user.id, params.alert_id);
      await pubsub.publish(tx, 'alerts_changed');
      await recordAction(tx, runtime, actor, { action: 'alert.deleted', object: before.opportunity_id, before });
    });
    return { message: 'Alert deleted successfully' };
  });
}
