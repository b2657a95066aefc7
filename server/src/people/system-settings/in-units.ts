/** The settings map, which is in JSON numbers, as the scaled quantities the engine decides with. */
import { type JudgedBy, judgedWords } from '@dutchbook/contract/notes/trigger-words.ts';
import { DEFAULT_SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import type { DeskSettings } from '@dutchbook/engine/desk/desk-settings.ts';
import type { SizePolicy } from '@dutchbook/engine/desk/size-policy.ts';
import type { PricingSettings } from '@dutchbook/engine/opportunity/value.ts';
import type { OrderMinimums } from '@dutchbook/engine/order/plan.ts';
import type { GateSettings } from '@dutchbook/engine/risk/context.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { formatPercent, type Percent, percentFromNumber } from '@dutchbook/units/percent.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';

/** A book that was not known to be right for longer than this is not traded on. */
const BOOK_AGE_MAX_MS = 30_000;

export function pricingSettings(settings: Settings): PricingSettings {
  return {
    useOrderBookPrices: settings.USE_ORDER_BOOK_PRICES,
    useCumulativePricing: settings.USE_CUMULATIVE_PRICING,
    cumulativeThreshold: usdFromNumber(settings.ORDER_BOOK_CUMULATIVE_THRESHOLD_USD),
  };
}

function orderMinimums(settings: Settings): OrderMinimums {
  return {
    minOrderValue: usdFromNumber(settings.MIN_ORDER_VALUE_USD),
    minOrderShares: sharesFromNumber(settings.MIN_ORDER_SHARES),
  };
}

export function gateSettings(settings: Settings): GateSettings {
  return {
    ...orderMinimums(settings),
    validateTiming: settings.MARKET_TIMING_VALIDATION_ENABLED,
    validatePrices: settings.PRICE_THRESHOLD_VALIDATION_ENABLED,
    priceLow: priceFromNumber(settings.PRICE_LOW_THRESHOLD),
    priceHigh: priceFromNumber(settings.PRICE_HIGH_THRESHOLD),
    maxDeviation: fractionFromNumber(settings.PRICE_DEVIATION_THRESHOLD),
    maxBookAgeMs: BOOK_AGE_MAX_MS,
    minAnnualised: percentFromNumber(settings.MIN_ANNUALISED_RETURN),
  };
}

function sizePolicy({ SIZE_POLICY, CLIP_USD, CLIPS_MAX, LOSS_ALLOWANCE_USD }: Settings): SizePolicy {
  const limits = { clip: usdFromNumber(CLIP_USD), lossAllowance: usdFromNumber(LOSS_ALLOWANCE_USD) };
  return { kind: SIZE_POLICY, clipsMax: CLIPS_MAX, ...limits };
}

export function triggerThreshold(settings: Settings): Percent {
  return percentFromNumber(settings.MIN_PROFIT_TRIGGER_THRESHOLD);
}

export function judgedBy({ useOrderBookPrices, useCumulativePricing }: PricingSettings): JudgedBy {
  if (!useOrderBookPrices) return 'midpoint';
  return useCumulativePricing ? 'depth' : 'best_ask';
}

/** What profit triggers, and at which prices, as the end of a sentence: "0.80 % is needed at the price of the first $10.00 of each leg". */
export function triggerWords(settings: Settings): string {
  const pricing = pricingSettings(settings);
  const prices = judgedWords(judgedBy(pricing), pricing.cumulativeThreshold);
  return `${formatPercent(triggerThreshold(settings))} is needed at ${prices}`;
}

/** Settings are replaced whole, and read with every price: each is translated once. */
const translated = new WeakMap<Settings, DeskSettings>();

/** `recorded` may come from a version that had fewer. */
export function deskSettings(recorded: Settings): DeskSettings {
  const known = translated.get(recorded);
  if (known !== undefined) return known;
  const settings = { ...DEFAULT_SETTINGS, ...recorded };
  const desk = {
    pricing: pricingSettings(settings),
    gates: gateSettings(settings),
    triggerPct: triggerThreshold(settings),
    size: sizePolicy(settings),
    practice: settings.ORDER_SIMULATION_ENABLED,
    placesAutomatically: settings.AUTO_PLACE_ORDER_ENABLED,
  };
  translated.set(recorded, desk);
  return desk;
}
