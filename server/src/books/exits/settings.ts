import { type ExitSettingsForm, exitSettingsForm } from '@dutchbook/contract/exit-settings.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { venueSettingsOf, type WatchedVenueSettings } from '../../people/system-settings/venue-settings.ts';
import { exitSettings } from './table.ts';

/** Exit settings; by default nothing is converted or redeemed automatically. */
const { open, change } = venueSettingsOf<ExitSettingsForm>({
  name: 'exit',
  table: exitSettings,
  defaultsOf: () => ({ auto_cash_now: false, auto_cash_now_min_usd: usdFromText('1'), auto_redeem: false }),
  form: exitSettingsForm,
  channel: 'exit_settings_changed',
  action: 'exits.changed',
});

export const changeExitSettings = change;

export type WatchedExitSettings = WatchedVenueSettings<ExitSettingsForm> & { venue: VenueName };

/** Opens the exit settings of a venue. @throws when the first read fails */
export async function openExitSettings(
  runtime: Parameters<typeof open>[0],
  venue: VenueName,
): Promise<WatchedExitSettings & { stop: () => void }> {
  return { venue, ...(await open(runtime, venue)) };
}
