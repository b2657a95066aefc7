import { keepRefreshed, openHeld } from '../../platform/runtime/refreshed.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { type IgnoredSetting, isSettingName, readSettings } from './store.ts';
import type { WatchedSettings } from './watched-settings.ts';

/** The settings in force. @throws when they cannot be read at first */
export async function openSystemSettings({
  db,
  pubsub,
  timers,
  log,
}: Pick<Runtime, 'db' | 'pubsub' | 'timers' | 'log'>): Promise<WatchedSettings & { stop: () => void }> {
  const said = new Set<string>();
  const sayOnce = (ignored: readonly IgnoredSetting[]) => {
    for (const { name, value } of ignored) {
      const what = JSON.stringify([name, value]);
      if (!said.has(what)) log.warn({ name, value }, 'stored setting unknown or out of range, its default holds');
      said.add(what);
    }
  };
  const read = async () => {
    const { settings, ignored } = await readSettings(db);
    sayOnce(ignored);
    return {
      settings,
      corrupt: ignored
        .map(({ name }) => name)
        .filter(isSettingName)
        .sort(),
    };
  };

  const held = openHeld(await read());
  const { refresh, stop } = keepRefreshed(
    { pubsub, timers, log },
    { channels: ['settings_changed', 'cache_cleared'], read, take: held.take, failure: 'system settings not read' },
  );
  return {
    current: () => held.current().settings,
    corrupt: () => held.current().corrupt,
    refresh,
    onChange: held.onChange,
    stop,
  };
}
