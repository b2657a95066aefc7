import { isDeepStrictEqual } from 'node:util';
import { type ExitSettings, type ExitSettingsForm, exitSettingsForm } from '@dutchbook/contract/exit-settings.ts';
import { modeOf } from '@dutchbook/contract/status.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { differenceOf, type JsonObject, recordAction } from '../audit/record.ts';
import { lock } from '../database/locks.ts';
import type { Actor } from '../parts.ts';
import { keepRefreshed, openHeld } from '../runtime/refreshed.ts';
import type { Db, Runtime } from '../runtime.ts';
import { users } from '../users/table.ts';
import { exitSettings } from './table.ts';

/** Nothing is turned into dollars, or redeemed, before somebody has asked for it. */
const EXIT_DEFAULTS: ExitSettingsForm = {
  auto_cash_now: false,
  auto_cash_now_min_usd: usdFromText('1'),
  auto_redeem: false,
};

type Changed = { at: Instant; by: string | null } | null;
type Stored = { form: ExitSettingsForm; changed: Changed };

export type WatchedExitSettings = {
  current: () => ExitSettingsForm;
  changed: () => Changed;
  /** Looks at once. */
  refresh: () => Promise<void>;
};

/** The settings in force for the venue of this process. @throws when they cannot be read at first */
export async function openExitSettings({
  config,
  db,
  pubsub,
  timers,
  log,
}: Pick<Runtime, 'config' | 'db' | 'pubsub' | 'timers' | 'log'>): Promise<WatchedExitSettings & { stop: () => void }> {
  const { venue } = modeOf(config.venueMode);
  const held = openHeld(await read(db, venue));
  const { refresh, stop } = keepRefreshed(
    { pubsub, timers, log },
    {
      channels: ['exit_settings_changed'],
      read: () => read(db, venue),
      take: held.take,
      failure: 'exit settings not read',
    },
  );
  return {
    current: () => held.current().form,
    changed: () => held.current().changed,
    refresh,
    stop,
  };
}

export function presentExitSettings(settings: WatchedExitSettings): ExitSettings {
  const changed = settings.changed();
  return { ...settings.current(), changed_at: changed?.at ?? null, changed_by: changed?.by ?? null };
}

/** What a call says to set; what is left out stays. */
type ExitChanges = { [Name in keyof ExitSettingsForm]?: ExitSettingsForm[Name] | undefined };

export async function changeExitSettings(
  runtime: Runtime,
  settings: WatchedExitSettings,
  by: { actor: Actor; user: { id: string } },
  changes: ExitChanges,
): Promise<void> {
  const { venue } = modeOf(runtime.config.venueMode);
  await runtime.db.transaction(async (tx) => {
    await lock(tx, 'settings');
    const { form: before } = await read(tx, venue);
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    const form: ExitSettingsForm = { ...before, ...Object.fromEntries(given) };
    if (isDeepStrictEqual(before, form)) return;
    const row = { form, changedAt: runtime.clock.now(), changedBy: by.user.id };
    await tx
      .insert(exitSettings)
      .values({ venue, ...row })
      .onConflictDoUpdate({ target: exitSettings.venue, set: row });
    await runtime.pubsub.publish(tx, 'exit_settings_changed');
    await recordAction(tx, runtime, by.actor, {
      action: 'exits.changed',
      object: venue,
      ...differenceOf(asServed(before), asServed(form)),
    });
  });
  await settings.refresh();
}

async function read(db: Db, venue: string): Promise<Stored> {
  const [row] = await db
    .select({ form: exitSettings.form, at: exitSettings.changedAt, by: users.email })
    .from(exitSettings)
    .leftJoin(users, eq(users.id, exitSettings.changedBy))
    .where(eq(exitSettings.venue, venue));
  if (row === undefined) return { form: EXIT_DEFAULTS, changed: null };
  const { form, at, by } = row;
  return {
    form: {
      ...EXIT_DEFAULTS,
      ...form,
      auto_cash_now_min_usd: (form.auto_cash_now_min_usd ?? EXIT_DEFAULTS.auto_cash_now_min_usd) as Usd,
    },
    changed: { at, by },
  };
}

function asServed(form: ExitSettingsForm): JsonObject {
  return z.encode(exitSettingsForm, form);
}
