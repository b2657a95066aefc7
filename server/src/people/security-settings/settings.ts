import { isDeepStrictEqual } from 'node:util';
import { type SecuritySettingsForm, securitySettingsForm } from '@dutchbook/contract/security-settings.ts';
import * as z from 'zod/mini';
import { differenceOf, type JsonObject } from '../../platform/audit/record.ts';
import { lock } from '../../platform/database/locks.ts';
import { Conflict } from '../../platform/http/errors.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { SignOffNeeded } from '../sign-offs/ask.ts';
import type { Effect } from '../sign-offs/effects.ts';
import {
  type By,
  openVenueSettings,
  readVenueSettings,
  type SettingsChanges,
  type SettingsKind,
  storeVenueSettings,
  type WatchedVenueSettings,
} from '../system-settings/venue-settings.ts';
import { countSuperusers } from '../users/store.ts';
import {
  asksForSignOffs,
  isMoreSignedOff,
  lessSignedOff,
  SUPERUSERS_NEEDED,
  securityChangesInWords,
} from './sign-off-rules.ts';
import { securitySettings } from './table.ts';

/** Security settings; by default the password, and one person, are enough. */
const KIND: SettingsKind<SecuritySettingsForm> = {
  name: 'security',
  table: securitySettings,
  defaultsOf: () => ({
    second_factor_for_all: false,
    sign_off_for_arming: false,
    sign_off_for_limits: false,
    sign_off_above_usd: null,
  }),
  form: securitySettingsForm,
  channel: 'security_settings_changed',
  action: 'security.changed',
};

export type WatchedSecuritySettings = WatchedVenueSettings<SecuritySettingsForm>;

/** @throws when they cannot be read at first */
export function openSecuritySettings(runtime: Parameters<typeof openVenueSettings>[0]) {
  return openVenueSettings(runtime, KIND);
}

/** Whether anything is signed off, as it is stored: under the lock of the superusers it stays so. */
export async function needsTwoSuperusers(tx: Db, config: Runtime['config']): Promise<boolean> {
  return asksForSignOffs(await readVenueSettings(tx, config, KIND));
}

/**
 * @throws Conflict where there would be no second person to sign off; SignOffNeeded where less would be signed off, while there is one
 */
export async function changeSecuritySettings(
  runtime: Runtime,
  settings: WatchedSecuritySettings,
  by: By,
  changes: SettingsChanges<SecuritySettingsForm>,
): Promise<void> {
  await runtime.db.transaction((tx) =>
    storeVenueSettings(tx, runtime, KIND, {
      by,
      changes,
      judge: async (before, after) => {
        const isAlone = await isOneSuperuser(tx);
        if (isAlone && isMoreSignedOff(before, after)) throw new Conflict(NOBODY_ELSE);
        if (!isAlone && lessSignedOff(before, after).length > 0) throw signOffOf(before, after);
      },
    }),
  );
  await settings.refresh();
}

const NOBODY_ELSE = `Sign-offs need ${SUPERUSERS_NEEDED} active superusers: add another one under Admin first.`;

async function isOneSuperuser(tx: Db): Promise<boolean> {
  await lock(tx, 'superusers');
  return (await countSuperusers(tx)) < SUPERUSERS_NEEDED;
}

function signOffOf(before: SecuritySettingsForm, after: SecuritySettingsForm): SignOffNeeded {
  return new SignOffNeeded({
    kind: 'settings',
    call: differenceOf(encoded(before), encoded(after)),
    summary: securityChangesInWords(before, after),
  });
}

const encoded = (form: SecuritySettingsForm) => z.encode(securitySettingsForm, form) as JsonObject;

/** What a sign-off of settings does; `call` is what stood of those that change, and what will. */
export function securitySignedOff(runtime: Runtime, settings: WatchedSecuritySettings, call: JsonObject): Effect {
  const { before, after } = z.decode(stored, call as z.input<typeof stored>);
  return {
    carryOut: async (tx, by) => {
      const judge = async (standing: SecuritySettingsForm, next: SecuritySettingsForm) => {
        if (!isDeepStrictEqual({ ...standing, ...before }, standing))
          throw new Conflict('The settings were changed after it was asked for.');
        if ((await isOneSuperuser(tx)) && isMoreSignedOff(standing, next)) throw new Conflict(NOBODY_ELSE);
      };
      await storeVenueSettings(tx, runtime, KIND, { by, changes: after, judge });
      return { outcome: 'The security settings are changed.' };
    },
    after: settings.refresh,
  };
}

const part = z.partial(securitySettingsForm);
const stored = z.object({ before: part, after: part });
