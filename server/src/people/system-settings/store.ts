import { SETTINGS, type SettingName, type Settings, settingsForm } from '@dutchbook/contract/system-settings.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { asText, literals } from '../../platform/database/literals.ts';
import { lock } from '../../platform/database/locks.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { users } from '../users/table.ts';
import { systemSettings } from './table.ts';

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** A stored setting that the product does not know, or whose value it would not take. Its default holds instead. */
export type IgnoredSetting = { name: string; value: unknown };

/** The settings in force. A value that an earlier version stored may be out of the range of this one. */
export async function readSettings(db: Db): Promise<{ settings: Settings; ignored: IgnoredSetting[] }> {
  const changed: Partial<Record<SettingName, Settings[SettingName]>> = {};
  const ignored: IgnoredSetting[] = [];
  for (const { name, value } of await db.select().from(systemSettings)) {
    if (isSettingName(name) && settingsForm.shape[name].safeParse(value).success) changed[name] = value;
    else ignored.push({ name, value });
  }
  const settings = Object.fromEntries(NAMES.map((name) => [name, changed[name] ?? SETTINGS[name].default])) as Settings;
  return { settings, ignored };
}

/** A term of a statement: automatic placing is switched off, also where this process does not know it yet. */
export const AUTOMATIC_IS_OFF = isStoredAs('AUTO_PLACE_ORDER_ENABLED', false);

/** A term of a statement: orders are only simulated, by the database's word. */
export const SIMULATION_IS_ON = isStoredAs('ORDER_SIMULATION_ENABLED', true);

function isStoredAs(name: SettingName, value: boolean): SQL<boolean> {
  const stored = literals([String(value)]);
  return asText(sql`exists (select 1 from ${systemSettings}
    where ${systemSettings.name} = ${literals([name])} and ${systemSettings.value} = ${stored}::jsonb)`) as SQL<boolean>;
}

/** What a write has changed, and nothing else. */
export type SettingsChange = { before: Partial<Settings>; after: Partial<Settings> };

export type Requested = { [Name in SettingName]?: Settings[Name] | undefined };

/** Stores those of the requested values that differ from what holds; null when none does. Waits for other writers. */
export async function changeSettings(
  tx: Db,
  requested: Requested,
  by: { at: Instant; userId: string },
): Promise<SettingsChange | null> {
  await lock(tx, 'settings');
  const { settings, ignored } = await readSettings(tx);
  const isCorrupt = (name: SettingName) => ignored.some((stored) => stored.name === name);
  const names = NAMES.filter(
    (name) => requested[name] !== undefined && (requested[name] !== settings[name] || isCorrupt(name)),
  );
  if (names.length === 0) return null;
  const after = only(requested, names);
  await tx
    .insert(systemSettings)
    .values(Object.entries(after).map(([name, value]) => ({ name, value, updatedAt: by.at, updatedBy: by.userId })))
    .onConflictDoUpdate({
      target: systemSettings.name,
      set: { value: sql`excluded.value`, updatedAt: sql`excluded.updated_at`, updatedBy: sql`excluded.updated_by` },
    });
  return { before: only(settings, names), after };
}

export type LastChange = { name: string; changedAt: Instant; changedBy: string | null; byProduct: boolean };

/** The last change of each setting; `changedBy` is null where the account is gone, and where the product did. */
export async function lastChanges(db: Db): Promise<LastChange[]> {
  return await db
    .select({
      ...{ name: systemSettings.name, changedAt: systemSettings.updatedAt, changedBy: users.email },
      byProduct: sql<boolean>`${systemSettings.updatedBy} is null`,
    })
    .from(systemSettings)
    .leftJoin(users, eq(users.id, systemSettings.updatedBy))
    .where(inArray(systemSettings.name, NAMES))
    .orderBy(asc(systemSettings.name));
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

function only(settings: Requested, names: readonly SettingName[]): Partial<Settings> {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}
