import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { SETTINGS, type Setting, type SettingName, settingsForm } from './system-settings.ts';

/** The default of each setting, as in the table of the specification, and, of a number, its range; of a choice what else there is. */
const SPECIFIED: Record<
  SettingName,
  readonly [boolean] | readonly [initial: number, min: number, max: number] | readonly string[]
> = {
  ENABLE_WEBSOCKET: [true],
  USE_ORDER_BOOK_PRICES: [true],
  USE_CUMULATIVE_PRICING: [true],
  ORDER_BOOK_CUMULATIVE_THRESHOLD_USD: [10, 1, 10_000],
  MIN_ORDER_VALUE_USD: [2, 1, 1_000],
  MIN_ORDER_SHARES: [5, 5, 100_000],
  SIZE_POLICY: ['smallest', 'up_to', 'best'],
  CLIP_USD: [100, 1, 1_000_000],
  CLIPS_MAX: [20, 1, 1000],
  LOSS_ALLOWANCE_USD: [25, 1, 1_000_000],
  AUTO_PLACE_ORDER_ENABLED: [true],
  ORDER_SIMULATION_ENABLED: [false],
  MIN_PROFIT_TRIGGER_THRESHOLD: [0.8, 0.1, 100],
  MIN_ANNUALISED_RETURN: [0, 0, 10_000],
  MIN_PROFIT_RETRY_THRESHOLD: [0.005, 0.001, 0.1],
  PRICE_DEVIATION_THRESHOLD: [0.05, 0.01, 1],
  BATCH_COMPLETION_TIMEOUT_HOURS: [12, 1, 48],
  MARKET_TIMING_VALIDATION_ENABLED: [true],
  PRICE_THRESHOLD_VALIDATION_ENABLED: [true],
  PRICE_LOW_THRESHOLD: [0.1, 0.01, 0.5],
  PRICE_HIGH_THRESHOLD: [0.9, 0.5, 0.99],
  BATCH_MIN_SUCCESS_RATE: [1, 0.1, 1],
};

function rangeOf(setting: Setting) {
  if (setting.kind === 'number') return [setting.default, setting.min, setting.max];
  return setting.kind === 'flag' ? [setting.default] : Object.keys(setting.options);
}

it('has the settings, defaults and ranges that are specified, and no others', () => {
  const built = Object.entries(SETTINGS).map(([name, setting]) => [name, rangeOf(setting)]);
  expect(Object.fromEntries(built)).toEqual(SPECIFIED);
});

const NUMBERS = Object.entries(SPECIFIED).flatMap(([name, [initial, min, max]]) =>
  typeof initial === 'number' ? [[name, [initial, Number(min), Number(max)]] as const] : [],
);

it.each(NUMBERS)('%s takes the ends of its range and says what is wrong beyond them', (name, [initial, min, max]) => {
  const field = settingsForm.shape[name as SettingName];
  const said = (value: unknown) => z.safeParse(field, value).error?.issues.map(({ message }) => message);
  for (const value of [initial, min, max]) expect(said(value)).toBeUndefined();
  expect(said(undefined)).toEqual([`${name} is required`]);
  expect(said(min - 1)).toContain(`${name} must be at least ${min}`);
  expect(said(max * 2)).toContain(`${name} must be at most ${max}`);
});

it('takes no part of a clip', () => {
  const said = z.safeParse(settingsForm.shape.CLIPS_MAX, 2.5).error?.issues.map(({ message }) => message);
  expect(said).toEqual(['CLIPS_MAX must be a whole number']);
});

it('a choice takes its own names and says which they are', () => {
  const said = (value: unknown) =>
    z.safeParse(settingsForm.shape.SIZE_POLICY, value).error?.issues.map(({ message }) => message);
  for (const name of SPECIFIED.SIZE_POLICY) expect(said(name)).toBeUndefined();
  expect(said('largest')).toEqual(['SIZE_POLICY must be one of smallest, up_to, best']);
  expect(said(undefined)).toEqual(['SIZE_POLICY is required']);
});
