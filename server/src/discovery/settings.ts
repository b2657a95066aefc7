import { isDeepStrictEqual } from 'node:util';
import {
  type DiscoverySettings,
  type DiscoverySettingsForm,
  discoverySettingsForm,
} from '@dutchbook/contract/discovery-settings.ts';
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
import { discoverySettings } from './table.ts';

/** Kinds that the contract itself holds to are found from the start; what a venue only declares is switched on by somebody. */
export const DISCOVERY_DEFAULTS: DiscoverySettingsForm = {
  enabled: true,
  pair: true,
  at_most_one: true,
  exactly_one: true,
  ladder: false,
  buckets: false,
  min_profit_usd: usdFromText('0.01'),
  auto_place_found: false,
};

type Changed = { at: Instant; by: string | null } | null;
type Stored = { form: DiscoverySettingsForm; changed: Changed };

export type WatchedDiscoverySettings = {
  current: () => DiscoverySettingsForm;
  changed: () => Changed;
  /** Looks at once. */
  refresh: () => Promise<void>;
  /** Calls back after they have changed. @returns what ends it */
  onChange: (react: () => void) => () => void;
};

/** The settings in force for the venue of this process. @throws when they cannot be read at first */
export async function openDiscoverySettings({
  config,
  db,
  pubsub,
  timers,
  log,
}: Pick<Runtime, 'config' | 'db' | 'pubsub' | 'timers' | 'log'>): Promise<
  WatchedDiscoverySettings & { stop: () => void }
> {
  const { venue } = modeOf(config.venueMode);
  const held = openHeld(await read(db, venue));
  const { refresh, stop } = keepRefreshed(
    { pubsub, timers, log },
    {
      channels: ['discovery_settings_changed'],
      read: () => read(db, venue),
      take: held.take,
      failure: 'discovery settings not read',
    },
  );
  return {
    current: () => held.current().form,
    changed: () => held.current().changed,
    refresh,
    onChange: held.onChange,
    stop,
  };
}

export function presentDiscoverySettings(settings: WatchedDiscoverySettings): DiscoverySettings {
  const changed = settings.changed();
  return { ...settings.current(), changed_at: changed?.at ?? null, changed_by: changed?.by ?? null };
}

/** What a call says to set; what is left out stays. */
export type DiscoveryChanges = { [Name in keyof DiscoverySettingsForm]?: DiscoverySettingsForm[Name] | undefined };

export async function changeDiscoverySettings(
  runtime: Runtime,
  settings: WatchedDiscoverySettings,
  by: { actor: Actor; user: { id: string } },
  changes: DiscoveryChanges,
): Promise<void> {
  const { venue } = modeOf(runtime.config.venueMode);
  await runtime.db.transaction(async (tx) => {
    await lock(tx, 'settings');
    const { form: before } = await read(tx, venue);
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    const form: DiscoverySettingsForm = { ...before, ...Object.fromEntries(given) };
    if (isDeepStrictEqual(before, form)) return;
    const row = { form, changedAt: runtime.clock.now(), changedBy: by.user.id };
    await tx
      .insert(discoverySettings)
      .values({ venue, ...row })
      .onConflictDoUpdate({ target: discoverySettings.venue, set: row });
    await runtime.pubsub.publish(tx, 'discovery_settings_changed');
    await recordAction(tx, runtime, by.actor, {
      action: 'discovery.changed',
      object: venue,
      ...differenceOf(asServed(before), asServed(form)),
    });
  });
  await settings.refresh();
}

async function read(db: Db, venue: string): Promise<Stored> {
  const [row] = await db
    .select({ form: discoverySettings.form, at: discoverySettings.changedAt, by: users.email })
    .from(discoverySettings)
    .leftJoin(users, eq(users.id, discoverySettings.changedBy))
    .where(eq(discoverySettings.venue, venue));
  if (row === undefined) return { form: DISCOVERY_DEFAULTS, changed: null };
  const { form, at, by } = row;
  return {
    form: {
      ...DISCOVERY_DEFAULTS,
      ...form,
      min_profit_usd: (form.min_profit_usd ?? DISCOVERY_DEFAULTS.min_profit_usd) as Usd,
    },
    changed: { at, by },
  };
}

function asServed(form: DiscoverySettingsForm): JsonObject {
  return z.encode(discoverySettingsForm, form);
}
