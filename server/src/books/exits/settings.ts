import { type ExitSettingsForm, exitSettingsForm } from '@dutchbook/contract/exit-settings.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { venueSettingsOf, type WatchedVenueSettings } from '../../people/system-settings/venue-settings.ts';
import { exitSettings } from './table.ts';

/** Nothing is converted into dollars, or redeemed, before somebody has asked for it. */
export const { open: openExitSettings, change: changeExitSettings } = venueSettingsOf<ExitSettingsForm>({
  name: 'exit',
  table: exitSettings,
  defaultsOf: () => ({ auto_cash_now: false, auto_cash_now_min_usd: usdFromText('1'), auto_redeem: false }),
  form: exitSettingsForm,
  channel: 'exit_settings_changed',
  action: 'exits.changed',
});

export type WatchedExitSettings = WatchedVenueSettings<ExitSettingsForm>;
