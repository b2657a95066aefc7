import { isDeepStrictEqual } from 'node:util';
import { SETTINGS, type SettingName, type Settings } from '@dutchbook/contract/system-settings.ts';
import type { WatchedSettings } from '../parts.ts';
import { systemSettings } from '../world/schema.ts';
import type { Db, World } from '../world/world.ts';

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
  const watchers = new Set<() => void>();
  let current = await readSettings(db);
  const refresh = async () => {
    try {
      const read = await readSettings(db);
      if (isDeepStrictEqual(read, current)) return;
      current = read;
      for (const react of watchers) react();
    } catch (error) {
      log.warn({ err: error }, 'The system settings could not be read again');
    }
  };
  const stopListening = notices.on('settings_changed', refresh);
  const stopRefreshing = timers.every(REFRESH_MS, refresh);
  return {
    current: () => current,
    refresh,
    onChange: (react) => {
      watchers.add(react);
      return () => void watchers.delete(react);
    },
    stop: () => {
      stopListening();
      stopRefreshing();
    },
  };
}

async function readSettings(db: Db): Promise<Settings> {
  const changed = new Map((await db.select().from(systemSettings)).map(({ name, value }) => [name, value]));
  const names = Object.keys(SETTINGS) as SettingName[];
  return Object.fromEntries(names.map((name) => [name, changed.get(name) ?? SETTINGS[name].default])) as Settings;
}
