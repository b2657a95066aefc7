import { type SecuritySettingsForm, securitySettingsForm } from '@dutchbook/contract/security-settings.ts';
import type { Runtime } from '../runtime.ts';
import {
  type By,
  changeVenueSettings,
  openVenueSettings,
  type SettingsChanges,
  type SettingsKind,
  type WatchedVenueSettings,
} from '../system-settings/venue-settings.ts';
import { securitySettings } from './table.ts';

/** The password is enough before somebody has asked for more. */
const KIND: SettingsKind<SecuritySettingsForm> = {
  name: 'security',
  table: securitySettings,
  defaults: { second_factor_for_all: false },
  form: securitySettingsForm,
  channel: 'security_settings_changed',
  action: 'security.changed',
};

export type WatchedSecuritySettings = WatchedVenueSettings<SecuritySettingsForm>;

/** @throws when they cannot be read at first */
export function openSecuritySettings(runtime: Parameters<typeof openVenueSettings>[0]) {
  return openVenueSettings(runtime, KIND);
}

export function changeSecuritySettings(
  runtime: Runtime,
  settings: WatchedSecuritySettings,
  by: By,
  changes: SettingsChanges<SecuritySettingsForm>,
): Promise<void> {
  return changeVenueSettings(runtime, settings, KIND, by, changes);
}
