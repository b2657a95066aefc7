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
import type { World } from '../world/world.ts';
import { changeSettings, lastChanges } from './store.ts';

export function registerSystemSettings(app: App, world: World, settings: WatchedSettings): void {
  const { db, clock, notices } = world;

  route(app, readSystemSettings, () => settings.current());

  route(app, writeSystemSettings, async ({ body, user, actor }) => {
    await db.transaction(async (tx) => {
      const change = await changeSettings(tx, body, { at: clock.now(), userId: user.id });
      if (change === null) return;
      await notices.tell(tx, 'settings_changed');
      await recordAction(tx, world, actor, { action: 'settings.changed', ...change });
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
      await notices.tell(tx, 'cache_cleared');
      await recordAction(tx, world, actor, { action: 'cache.cleared' });
    });
    await settings.refresh();
    return { message: 'Settings cache cleared successfully' };
  });
}
