import { type ExitSettingsForm, exitSettingsForm } from '@dutchbook/contract/exit-settings.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { Runtime } from '../runtime.ts';
import {
  type By,
  changeVenueSettings,
  openVenueSettings,
  type SettingsChanges,
  type SettingsKind,
  type WatchedVenueSettings,
} from '../system-settings/venue-settings.ts';
import { exitSettings } from './table.ts';

/** Nothing is turned into dollars, or redeemed, before somebody has asked for it. */
const KIND: SettingsKind<ExitSettingsForm> = {
  name: 'exit',
  table: exitSettings,
  defaults: { auto_cash_now: false, auto_cash_now_min_usd: usdFromText('1'), auto_redeem: false },
  form: exitSettingsForm,
  channel: 'exit_settings_changed',
  action: 'exits.changed',
};

export type WatchedExitSettings = WatchedVenueSettings<ExitSettingsForm>;

/** @throws when they cannot be read at first */
export function openExitSettings(runtime: Parameters<typeof openVenueSettings>[0]) {
  return openVenueSettings(runtime, KIND);
}

export function changeExitSettings(
  runtime: Runtime,
  settings: WatchedExitSettings,
  by: By,
  changes: SettingsChanges<ExitSettingsForm>,
): Promise<void> {
  return changeVenueSettings(runtime, settings, KIND, by, changes);
}
