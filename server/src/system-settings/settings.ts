import { isDeepStrictEqual } from 'node:util';
import type { WatchedSettings } from '../parts.ts';
import { openFailureLog } from '../runtime/failure-log.ts';
import { openListeners } from '../runtime/listeners.ts';
import type { Runtime } from '../runtime.ts';
import { type IgnoredSetting, isSettingName, readSettings } from './store.ts';

const REFRESH_MS = 1000;

/**
 * The settings in force, read again when any process says that it changed them, and every second in case that was not
 * heard. While the database does not answer, the last ones known hold. @throws when they cannot be read at first
 */
export async function openSystemSettings({
  db,
  pubsub,
  timers,
  log,
}: Pick<Runtime, 'db' | 'pubsub' | 'timers' | 'log'>): Promise<WatchedSettings & { stop: () => void }> {
  const listeners = openListeners();
  const failures = openFailureLog(log, 'warn', 'system settings not read');
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

  let reads = 0;
  let newestRead = 0;
  let held = await read();
  const refresh = async () => {
    reads += 1;
    const ours = reads;
    try {
      const found = await read();
      failures.succeeded();
      // Reads overtake each other; one that began earlier may know less than what holds already.
      if (ours < newestRead) return;
      newestRead = ours;
      if (isDeepStrictEqual(found, held)) return;
      held = found;
      listeners.call();
    } catch (error) {
      failures.failed(error);
    }
  };
  const stops = [
    pubsub.subscribe('settings_changed', refresh),
    pubsub.subscribe('cache_cleared', refresh),
    timers.every(REFRESH_MS, refresh),
  ];
  return {
    current: () => held.settings,
    corrupt: () => held.corrupt,
    refresh,
    onChange: listeners.add,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
