import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export type NumericSetting = {
  kind: 'number';
  default: number;
  min: number;
  max: number;
  unit: 'usd' | 'shares' | 'percent' | 'fraction' | 'hours';
};
export type FlagSetting = { kind: 'flag'; default: boolean };

const flag = (initial: boolean): FlagSetting => ({ kind: 'flag', default: initial });
const number = (initial: number, min: number, max: number, unit: NumericSetting['unit']): NumericSetting => ({
  kind: 'number',
  default: initial,
  min,
  max,
  unit,
});

/** Every setting with its default and range. Beware: the profit trigger is in percent, its neighbours are fractions. */
export const SETTINGS = {
  ENABLE_WEBSOCKET: flag(true),
  USE_ORDER_BOOK_PRICES: flag(true),
  USE_CUMULATIVE_PRICING: flag(true),
  ORDER_BOOK_CUMULATIVE_THRESHOLD_USD: number(10, 1, 10_000, 'usd'),
  MIN_ORDER_VALUE_USD: number(2, 1, 1000, 'usd'),
  MIN_ORDER_SHARES: number(5, 5, 100_000, 'shares'),
  AUTO_PLACE_ORDER_ENABLED: flag(true),
  ORDER_SIMULATION_ENABLED: flag(false),
  MIN_PROFIT_TRIGGER_THRESHOLD: number(0.8, 0.1, 100, 'percent'),
  MIN_PROFIT_RETRY_THRESHOLD: number(0.005, 0.001, 0.1, 'fraction'),
  PRICE_DEVIATION_THRESHOLD: number(0.05, 0.01, 1, 'fraction'),
  BATCH_COMPLETION_TIMEOUT_HOURS: number(12, 1, 48, 'hours'),
  MARKET_TIMING_VALIDATION_ENABLED: flag(true),
  PRICE_THRESHOLD_VALIDATION_ENABLED: flag(true),
  PRICE_LOW_THRESHOLD: number(0.1, 0.01, 0.5, 'fraction'),
  PRICE_HIGH_THRESHOLD: number(0.9, 0.5, 0.99, 'fraction'),
  BATCH_MIN_SUCCESS_RATE: number(1, 0.1, 1, 'fraction'),
} as const satisfies Record<string, NumericSetting | FlagSetting>;

export type SettingName = keyof typeof SETTINGS;

/** The settings map as served: numbers in the unit of their setting, flags as booleans. */
export type Settings = { [Name in SettingName]: (typeof SETTINGS)[Name]['kind'] extends 'flag' ? boolean : number };

const ranged = ({ min, max }: NumericSetting) => z.number().check(z.minimum(min), z.maximum(max));

function settingsShape() {
  const shape: Record<string, z.ZodMiniBoolean | z.ZodMiniNumber> = {};
  for (const [name, setting] of Object.entries(SETTINGS))
    shape[name] = setting.kind === 'flag' ? z.boolean() : ranged(setting);
  return shape as { [Name in SettingName]: Settings[Name] extends boolean ? z.ZodMiniBoolean : z.ZodMiniNumber };
}

const settings = z.strictObject(settingsShape());

export const readSystemSettings = endpoint({
  method: 'GET',
  path: '/system-settings/',
  access: 'superuser',
  tag: 'System settings',
  summary: 'All trading settings',
  reply: settings,
});
