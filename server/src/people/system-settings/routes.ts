import {
  clearCache,
  readSettingChanges,
  readSystemSettings,
  writeSystemSettings,
} from '@dutchbook/contract/system-settings.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import type { Actor, Session, UserRow } from '../../platform/http/signed-in.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { lastChanges, type Requested } from './store.ts';
import type { WatchedSettings } from './watched-settings.ts';

/** Stores what a call asks for, or throws why not. */
type Save = (call: SettingsCall) => Promise<void>;

/** `query.confirmation`: what was typed where that is asked for. */
export type SettingsCall = {
  user: UserRow;
  session: Session;
  actor: Actor;
  query: { confirmation?: string | undefined };
  body: Requested;
};

export function registerSystemSettings(app: App, runtime: Runtime, settings: WatchedSettings, save: Save): void {
  const { db, pubsub } = runtime;

  route(app, readSystemSettings, () => settings.current());

  route(app, writeSystemSettings, async (call) => {
    await save(call);
    await settings.refresh();
    return settings.current();
  });

  route(app, readSettingChanges, async () => {
    const changes = await lastChanges(db);
    return {
      data: changes.map(({ name, changedAt, changedBy, byProduct }) => ({
        ...{ name, changed_at: changedAt, changed_by: changedBy, by_product: byProduct },
      })),
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
