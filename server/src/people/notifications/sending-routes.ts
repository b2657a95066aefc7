import * as contract from '@dutchbook/contract/notification-sending.ts';
import { readSendingStatus as readSendingStatusCall } from '@dutchbook/contract/sending-status.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { configureTelegram, readTelegram } from './channel.ts';
import { presentNotification } from './present.ts';
import { recordNotification } from './record.ts';
import { readSendingStatus, switchSending } from './switches.ts';

type Around = Pick<Runtime, 'clock' | 'config' | 'db' | 'random' | 'pubsub'>;

export function registerSending(app: App, runtime: Around): void {
  route(app, readSendingStatusCall, () => readSendingStatus(runtime));

  route(app, contract.readTelegram, () => readTelegram(runtime));

  route(app, contract.writeTelegram, ({ body, actor }) => configureTelegram(runtime, body, actor));

  route(app, contract.switchSending, async ({ query, actor }) => {
    await switchSending(runtime, query, actor);
    return readSendingStatus(runtime);
  });

  // Recorded and queued like any other: what is tried is the way that every notification takes.
  route(app, contract.testNotifications, ({ body, user, actor }) =>
    runtime.db.transaction(async (tx) => {
      const message = body?.message ?? `${user.email} asked for this message, to see whether notifications arrive.`;
      const row = await recordNotification(tx, runtime, { type: 'test', opportunityId: null, message, data: {} });
      await recordAction(tx, runtime, actor, { action: 'notifications.tested', object: row.id });
      return presentNotification(row);
    }),
  );
}
