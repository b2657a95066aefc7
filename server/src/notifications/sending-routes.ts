import * as contract from '@dutchbook/contract/notification-sending.ts';
import { recordAction } from '../audit/record.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';
import type { World } from '../world/world.ts';
import { configureTelegram, readTelegram } from './channel.ts';
import { presentNotification } from './present.ts';
import { recordNotification } from './record.ts';
import { readSendingStatus, switchSending } from './switches.ts';

type Around = Pick<World, 'clock' | 'config' | 'db' | 'dice' | 'notices'>;

export function registerSending(app: App, world: Around): void {
  route(app, contract.readSendingStatus, () => readSendingStatus(world));

  route(app, contract.readTelegram, () => readTelegram(world));

  route(app, contract.writeTelegram, ({ body, actor }) => configureTelegram(world, body, actor));

  route(app, contract.switchSending, async ({ query, actor }) => {
    await switchSending(world, query, actor);
    return readSendingStatus(world);
  });

  // Recorded and queued like any other: what is tried is the way that every notification takes.
  route(app, contract.testNotifications, ({ body, user, actor }) =>
    world.db.transaction(async (tx) => {
      const message = body?.message ?? `${user.email} asked for this message, to see whether notifications arrive.`;
      const row = await recordNotification(tx, world, { type: 'test', opportunityId: null, message, data: {} });
      await recordAction(tx, world, actor, { action: 'notifications.tested', object: row.id });
      return presentNotification(row);
    }),
  );
}
