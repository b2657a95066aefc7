import { SETTINGS, type SettingName, type Settings } from '@dutchbook/contract/system-settings.ts';
import type { SystemSettings } from '../parts.ts';
import { systemSettings } from '../world/schema.ts';
import type { Db, World } from '../world/world.ts';

const REFRESH_MS = 1000;

/**
 * The settings in force, read again every second so that a change made by any process reaches this one. While the
 * database does not answer, the last ones known hold. @throws when they cannot be read at first
 */
export async function openSystemSettings({
  db,
  timers,
  log,
}: Pick<World, 'db' | 'timers' | 'log'>): Promise<SystemSettings & { stop: () => void }> {
  let current = await readSettings(db);
  const stop = timers.every(REFRESH_MS, async () => {
    try {
      current = await readSettings(db);
    } catch (error) {
      log.warn({ err: error }, 'The system settings could not be read again');
    }
  });
  return { current: () => current, stop };
}

async function readSettings(db: Db): Promise<Settings> {
  const changed = new Map((await db.select().from(systemSettings)).map(({ name, value }) => [name, value]));
  const names = Object.keys(SETTINGS) as SettingName[];
  return Object.fromEntries(names.map((name) => [name, changed.get(name) ?? SETTINGS[name].default])) as Settings;
}
