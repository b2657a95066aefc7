/** Settings of one part of the product, a row for each venue: what is switched on for the simulated exchange is not for a real one. */
import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '@dutchbook/contract/audit.ts';
import { modeOf } from '@dutchbook/contract/status.ts';
import { idAt, type VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { eq } from 'drizzle-orm';
import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import * as z from 'zod/mini';
import { differenceOf, type JsonObject, recordAction } from '../../platform/audit/record.ts';
import { instant } from '../../platform/database/columns.ts';
import { lock } from '../../platform/database/locks.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { PubSubTopic } from '../../platform/runtime/pubsub.ts';
import { keepRefreshed, openHeld } from '../../platform/runtime/refreshed.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { users } from '../users/table.ts';

export function venueSettingsTable(name: string) {
  return pgTable(name, {
    venue: text('venue').primaryKey(),
    /** As the form of its part has them; what it lacks is as it is by default. */
    form: jsonb('form').$type<object>().notNull(),
    changedAt: instant('changed_at').notNull(),
    changedBy: uuid('changed_by'),
  });
}

/** `form`: as it is served. `channel`: on which processes tell each other. `action`: what the audit log calls a change. */
export type SettingsKind<Form extends object> = {
  name: string;
  table: ReturnType<typeof venueSettingsTable>;
  defaultsOf: (venue: string) => Form;
  /** What a stored form means that was written before these were part of it, where that is not the default. */
  before?: Partial<Form>;
  form: z.ZodMiniType<Form, unknown>;
  channel: PubSubTopic;
  action: AuditAction;
};

type Changed = { at: Instant; by: string | null } | null;

export type WatchedVenueSettings<Form> = {
  /** What their row is called. */
  row: string;
  current: () => Form;
  changed: () => Changed;
  /** Looks at once. */
  refresh: () => Promise<void>;
  /** Calls back after they have changed. @returns what ends it */
  onChange: (react: () => void) => () => void;
};

/** What the row of one of several venues is called; that of the first is as it was while there was one. */
function rowOf({ venueMode }: Runtime['config'], of: VenueName | undefined): string {
  const { keptUnder, world } = modeOf(venueMode);
  if (of === undefined) return keptUnder;
  return world === 'real' ? of : idAt(of, keptUnder);
}

/** The settings in force for the venues of this process, or for one of them. @throws when they cannot be read at first */
export async function openVenueSettings<Form extends object>(
  { config, db, pubsub, timers, log }: Pick<Runtime, 'config' | 'db' | 'pubsub' | 'timers' | 'log'>,
  kind: SettingsKind<Form>,
  of?: VenueName,
): Promise<WatchedVenueSettings<Form> & { stop: () => void }> {
  const row = rowOf(config, of);
  const held = openHeld(await readStored(db, kind, row));
  const { refresh, stop } = keepRefreshed(
    { pubsub, timers, log },
    {
      channels: [kind.channel],
      read: () => readStored(db, kind, row),
      take: held.take,
      failure: `${kind.name} settings not read`,
    },
  );
  return {
    row,
    current: () => held.current().form,
    changed: () => held.current().changed,
    refresh,
    onChange: held.onChange,
    stop,
  };
}

export function presentVenueSettings<Form extends object>(settings: WatchedVenueSettings<Form>) {
  const changed = settings.changed();
  return { ...settings.current(), changed_at: changed?.at ?? null, changed_by: changed?.by ?? null };
}

/** The settings of a part of the product, for changes that need no sign-off. */
export function venueSettingsOf<Form extends object>(kind: SettingsKind<Form>) {
  return {
    /** @throws when they cannot be read at first */
    open: (runtime: Parameters<typeof openVenueSettings>[0], of?: VenueName) => openVenueSettings(runtime, kind, of),
    /** What is stored now, whatever this process read last. */
    read: (db: Db, config: Runtime['config']) => readVenueSettings(db, config, kind),
    change: async (runtime: Runtime, settings: WatchedVenueSettings<Form>, by: By, changes: SettingsChanges<Form>) => {
      const { row } = settings;
      await runtime.db.transaction((tx) => storeVenueSettings(tx, runtime, kind, { by, changes, row }));
      await settings.refresh();
    },
  };
}

export type By = { actor: Actor; user: { id: string } };

/** What a call says to set; what is left out stays. */
export type SettingsChanges<Form> = { [Name in keyof Form]?: Form[Name] | undefined };

type SettingsChange<Form> = {
  /** Left out, that of the venues of this process. */
  row?: string;
  by: By;
  changes: SettingsChanges<Form>;
  /** Sees what stood and what will, both unchanged until the transaction ends, and throws where that may not be. */
  judge?: (before: Form, after: Form) => Promise<void>;
};

/** Changes them in a transaction, last in it. */
export async function storeVenueSettings<Form extends object>(
  tx: Db,
  runtime: Pick<Runtime, 'config' | 'clock' | 'pubsub'>,
  kind: SettingsKind<Form>,
  { by, changes, judge, row: venue = rowOf(runtime.config, undefined) }: SettingsChange<Form>,
): Promise<void> {
  const asServed = (form: Form) => z.encode(kind.form, form) as JsonObject;
  await lock(tx, 'settings');
  const { form: before } = await readStored(tx, kind, venue);
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const form: Form = { ...before, ...Object.fromEntries(given) };
  if (isDeepStrictEqual(before, form)) return;
  await judge?.(before, form);
  const row = { form, changedAt: runtime.clock.now(), changedBy: by.user.id };
  await tx
    .insert(kind.table)
    .values({ venue, ...row })
    .onConflictDoUpdate({ target: kind.table.venue, set: row });
  await runtime.pubsub.publish(tx, kind.channel);
  const difference = differenceOf(asServed(before), asServed(form));
  await recordAction(tx, runtime, by.actor, { action: kind.action, object: venue, ...difference });
}

/** What is stored now, for who must not go by what this process read last. */
export async function readVenueSettings<Form extends object>(
  tx: Db,
  { venueMode }: Runtime['config'],
  kind: SettingsKind<Form>,
): Promise<Form> {
  return (await readStored(tx, kind, modeOf(venueMode).keptUnder)).form;
}

async function readStored<Form extends object>(
  db: Db,
  { table, defaultsOf, before }: SettingsKind<Form>,
  venue: string,
): Promise<{ form: Form; changed: Changed }> {
  const [row] = await db
    .select({ form: table.form, at: table.changedAt, by: users.email })
    .from(table)
    .leftJoin(users, eq(users.id, table.changedBy))
    .where(eq(table.venue, venue));
  const defaults = defaultsOf(venue);
  if (row === undefined) return { form: defaults, changed: null };
  const { form, at, by } = row;
  return { form: { ...defaults, ...before, ...form }, changed: { at, by } };
}
