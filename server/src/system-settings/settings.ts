import { isDeepStrictEqual } from 'node:util';
import type { WatchedSettings } from '../parts.ts';
import { openWatchers } from '../world/watchers.ts';
import type { World } from '../world/world.ts';
import { type IgnoredSetting, isSettingName, readSettings } from './store.ts';

const REFRESH_MS = 1000;

/**
 * The settings in force, read again when any process says that it changed them, and every second in case that was not
 * heard. While the database does not answer, the last ones known hold. @throws when they cannot be read at first
 */
export async function openSystemSettings({
  db,
  notices,
  timers,
  log,
}: Pick<World, 'db' | 'notices' | 'timers' | 'log'>): Promise<WatchedSettings & { stop: () => void }> {
  const watchers = openWatchers();
  const said = new Set<string>();
  const sayOnce = (ignored: readonly IgnoredSetting[]) => {
    for (const { name, value } of ignored) {
      const what = JSON.stringify([name, value]);
      if (!said.has(what)) log.warn({ name, value }, 'A stored setting is unknown or out of range; its default holds');
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

  let reads = 0;
  let newestRead = 0;
  let held = await read();
  const refresh = async () => {
    reads += 1;
    const ours = reads;
    try {
      const found = await read();
      // Reads overtake each other; one that began earlier may know less than what holds already.
      if (ours < newestRead) return;
      newestRead = ours;
      if (isDeepStrictEqual(found, held)) return;
      held = found;
      watchers.callAll();
    } catch (error) {
      log.warn({ err: error }, 'The system settings could not be read again');
    }
  };
  const stops = [
    notices.on('settings_changed', refresh),
    notices.on('cache_cleared', refresh),
    timers.every(REFRESH_MS, refresh),
  ];
  return {
    current: () => held.settings,
    corrupt: () => held.corrupt,
    refresh,
    onChange: watchers.add,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
