import { type DiscoverySettingsForm, discoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { venueSettingsOf, type WatchedVenueSettings } from '../system-settings/venue-settings.ts';
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

export const { open: openDiscoverySettings, change: changeDiscoverySettings } = venueSettingsOf<DiscoverySettingsForm>({
  name: 'discovery',
  table: discoverySettings,
  defaults: DISCOVERY_DEFAULTS,
  form: discoverySettingsForm,
  channel: 'discovery_settings_changed',
  action: 'discovery.changed',
});

export type WatchedDiscoverySettings = WatchedVenueSettings<DiscoverySettingsForm>;
