import type { Percent } from '@dutchbook/units/percent.ts';
import type { PricingSettings } from '../opportunity/value.ts';
import type { GateSettings } from '../risk/context.ts';
import type { SizePolicy } from './size-policy.ts';

/** The system settings that the desk reads, in its units. */
export type DeskSettings = {
  pricing: PricingSettings;
  gates: GateSettings;
  /** MIN_PROFIT_TRIGGER_THRESHOLD: the profit at which an opportunity triggers. */
  triggerPct: Percent;
  /** How large what a trigger places is. */
  size: SizePolicy;
  /** ORDER_SIMULATION_ENABLED: orders are only simulated. */
  practice: boolean;
  /** AUTO_PLACE_ORDER_ENABLED: a trigger places an order. */
  placesAutomatically: boolean;
};
