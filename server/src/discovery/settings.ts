import { type DiscoverySettingsForm, discoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
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

const KIND: SettingsKind<DiscoverySettingsForm> = {
  name: 'discovery',
  table: discoverySettings,
  defaults: DISCOVERY_DEFAULTS,
  form: discoverySettingsForm,
  channel: 'discovery_settings_changed',
  action: 'discovery.changed',
};

export type WatchedDiscoverySettings = WatchedVenueSettings<DiscoverySettingsForm>;

/** @throws when they cannot be read at first */
export function openDiscoverySettings(runtime: Parameters<typeof openVenueSettings>[0]) {
  return openVenueSettings(runtime, KIND);
}

export function changeDiscoverySettings(
  runtime: Runtime,
  settings: WatchedDiscoverySettings,
  by: By,
  changes: SettingsChanges<DiscoverySettingsForm>,
): Promise<void> {
  return changeVenueSettings(runtime, settings, KIND, by, changes);
}
