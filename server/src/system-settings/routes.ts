import {
  clearCache,
  readSettingChanges,
  readSystemSettings,
  writeSystemSettings,
} from '@dutchbook/contract/system-settings.ts';
import { recordAction } from '../audit/record.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';
import type { WatchedSettings } from '../parts.ts';
import type { Runtime } from '../runtime.ts';
import { changeSettings, lastChanges } from './store.ts';

export function registerSystemSettings(app: App, runtime: Runtime, settings: WatchedSettings): void {
  const { db, clock, pubsub } = runtime;

  route(app, readSystemSettings, () => settings.current());

  route(app, writeSystemSettings, async ({ body, user, actor }) => {
    await db.transaction(async (tx) => {
      const change = await changeSettings(tx, body, { at: clock.now(), userId: user.id });
      if (change === null) return;
      await pubsub.publish(tx, 'settings_changed');
      await recordAction(tx, runtime, actor, { action: 'settings.changed', ...change });
    });
    await settings.refresh();
    return settings.current();
  });

  route(app, readSettingChanges, async () => {
    const changes = await lastChanges(db);
    return {
      data: changes.map(({ name, changedAt, changedBy }) => ({ name, changed_at: changedAt, changed_by: changedBy })),
    };
  });

  route(app, clearCache, async ({ actor }) => {
    await db.transaction(async (tx) => {
      await pubsub.publish(tx, 'cache_cleared');
      await recordAction(tx, runtime, actor, { action: 'cache.cleared' });
    });
    await settings.refresh();
    return { message: 'Settings cache cleared successfully' };
  });
}
