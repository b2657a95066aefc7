import { type DiscoverySettingsForm, discoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
import { VENUE_MODES } from '@dutchbook/contract/status.ts';
import type { DiscoveryRules } from '@dutchbook/engine/desk/relation-desk.ts';
import type { PriceBand } from '@dutchbook/engine/risk/context.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { venueSettingsOf, type WatchedVenueSettings } from '../../people/system-settings/venue-settings.ts';
import { discoverySettings } from './table.ts';

/**
 * Kinds that the contract itself holds to are found from the start; what a venue only declares is switched on by a user, and so is
 * placing where it takes money.
 */
export const DISCOVERY_DEFAULTS: DiscoverySettingsForm = {
  enabled: true,
  pair: true,
  at_most_one: true,
  exactly_one: true,
  ladder: false,
  buckets: false,
  min_profit_usd: usdFromText('0.01'),
  price_low: priceFromText('0.001'),
  price_high: priceFromText('0.999'),
  auto_place_found: false,
};

function defaultsOf(venue: string): DiscoverySettingsForm {
  const { simulated, paper } = VENUE_MODES;
  return { ...DISCOVERY_DEFAULTS, auto_place_found: venue === simulated.keptUnder || venue === paper.keptUnder };
}

export const {
  open: openDiscoverySettings,
  read: readDiscoverySettings,
  change: changeDiscoverySettings,
} = venueSettingsOf<DiscoverySettingsForm>({
  name: 'discovery',
  table: discoverySettings,
  defaultsOf,
  before: { price_low: null, price_high: null },
  form: discoverySettingsForm,
  channel: 'discovery_settings_changed',
  action: 'discovery.changed',
});

export type WatchedDiscoverySettings = WatchedVenueSettings<DiscoverySettingsForm>;

export type FoundPrices = Pick<DiscoverySettingsForm, 'price_low' | 'price_high'>;

/** The price band of found sets; ends that the settings leave to the two thresholds are left out. */
export function foundBandOf({ price_low: low, price_high: high }: FoundPrices): Partial<PriceBand> {
  return { ...(low !== null && { priceLow: low }), ...(high !== null && { priceHigh: high }) };
}

/** The rules of the relation desk. */
export function rulesOf({ enabled, min_profit_usd: leastProfit, ...form }: DiscoverySettingsForm): DiscoveryRules {
  const { pair, at_most_one, exactly_one, ladder, buckets } = form;
  return { isEnabled: enabled, leastProfit, kindsOn: { pair, at_most_one, exactly_one, ladder, buckets } };
}
