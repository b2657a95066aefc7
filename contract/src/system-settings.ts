import * as z from 'zod/mini';
import { endpoint, message, optional, SIGN_OFF_ASKED } from './endpoint.ts';
import { described, explained } from './notes/described.ts';
import { instant } from './quantities.ts';

export type NumericSetting = {
  kind: 'number';
  default: number;
  min: number;
  max: number;
  unit: 'usd' | 'shares' | 'percent' | 'fraction' | 'price' | 'hours' | 'clips';
  /** What it does, in one sentence. */
  effect: string;
};
export type FlagSetting = { kind: 'flag'; default: boolean; effect: string };
/** `options`: each value with what a screen calls it, and what it means. */
export type ChoiceSetting = {
  kind: 'choice';
  default: string;
  options: Readonly<Record<string, { label: string; meaning: string }>>;
  effect: string;
};
export type Setting = NumericSetting | FlagSetting | ChoiceSetting;

const flag = (initial: boolean, effect: string): FlagSetting => ({ kind: 'flag', default: initial, effect });

function number(
  initial: number,
  [min, max]: readonly [number, number],
  unit: NumericSetting['unit'],
  effect: string,
): NumericSetting {
  return { kind: 'number', default: initial, min, max, unit, effect };
}

function choice<Options extends ChoiceSetting['options']>(
  initial: keyof Options & string,
  options: Options,
  effect: string,
): Omit<ChoiceSetting, 'options'> & { options: Options } {
  return { kind: 'choice', default: initial, options, effect };
}

/** Every setting with its default and range. Beware: the profit trigger is in percent, its neighbours are fractions. */
export const SETTINGS = {
  ENABLE_WEBSOCKET: flag(true, 'Order books come over the venue’s live stream; off, they are polled.'),
  USE_ORDER_BOOK_PRICES: flag(
    true,
    'Positions are priced from the order book; off, at the midpoint or the last trade.',
  ),
  USE_CUMULATIVE_PRICING: flag(
    true,
    'The price is that of the level at which the threshold below is reached; off, the best ask.',
  ),
  ORDER_BOOK_CUMULATIVE_THRESHOLD_USD: number(
    10,
    [1, 10_000],
    'usd',
    'How many dollars of asks are added up for a cumulative price.',
  ),
  MIN_ORDER_VALUE_USD: number(
    2,
    [1, 1000],
    'usd',
    'The smallest value of one order; what completes sets that are half bought may be worth less.',
  ),
  MIN_ORDER_SHARES: number(
    5,
    [5, 100_000],
    'shares',
    'The smallest size of one order; what completes sets that are half bought may be fewer.',
  ),
  SIZE_POLICY: choice(
    'smallest',
    {
      smallest: { label: 'Smallest', meaning: 'the smallest that every minimum allows, once' },
      up_to: {
        label: 'Up to a Full Clip',
        meaning: 'as large as the last set still makes the trigger’s profit, clip by clip',
      },
      best: { label: 'Best', meaning: 'that, of the depth that is expected to be met' },
    },
    'How large an order is that is placed automatically.',
  ),
  CLIP_USD: number(
    100,
    [1, 1_000_000],
    'usd',
    'The most that one clip takes, fees included; with the policy smallest it does not matter.',
  ),
  CLIPS_MAX: number(
    20,
    [1, 1000],
    'clips',
    'How many clips of an opportunity are bought one after the other while it triggers; with the policy smallest it does not matter.',
  ),
  LOSS_ALLOWANCE_USD: number(
    25,
    [1, 1_000_000],
    'usd',
    'The most that a clip may lose when legs of it fill and the cheapest does not; with the policy smallest it does not matter.',
  ),
  AUTO_PLACE_ORDER_ENABLED: flag(true, 'A triggered opportunity is bought automatically.'),
  ORDER_SIMULATION_ENABLED: flag(
    false,
    'Batches are filled against the live order books, and nothing is sent to the venue.',
  ),
  MIN_PROFIT_TRIGGER_THRESHOLD: number(
    0.8,
    [0.1, 100],
    'percent',
    'The net profit at which an opportunity triggers; 1.0 means 1%.',
  ),
  MIN_ANNUALISED_RETURN: number(
    0,
    [0, 10_000],
    'percent',
    'The least that an opportunity has to earn on what it binds, as if all year until its cash is back; 0 is off.',
  ),
  MIN_PROFIT_RETRY_THRESHOLD: number(
    0.005,
    [0.001, 0.1],
    'fraction',
    'The net profit a batch must still make for its remainder to be bought; 0.005 means 0.5%.',
  ),
  PRICE_DEVIATION_THRESHOLD: number(
    0.05,
    [0.01, 1],
    'fraction',
    'How far a set’s price may have moved since it was quoted; 0.05 means 5%.',
  ),
  BATCH_COMPLETION_TIMEOUT_HOURS: number(
    12,
    [1, 48],
    'hours',
    'After this long the open orders of a batch are canceled.',
  ),
  MARKET_TIMING_VALIDATION_ENABLED: flag(
    true,
    'Nothing is bought in a market that ends within two minutes, which is what a batch needs.',
  ),
  PRICE_THRESHOLD_VALIDATION_ENABLED: flag(true, 'Nothing is bought outside of the two prices below.'),
  PRICE_LOW_THRESHOLD: number(
    0.1,
    [0.01, 0.5],
    'price',
    'The lowest price at which a position is bought; found ones may have a range of their own.',
  ),
  PRICE_HIGH_THRESHOLD: number(
    0.9,
    [0.5, 0.99],
    'price',
    'The highest price at which a position is bought; found ones may have a range of their own.',
  ),
  BATCH_MIN_SUCCESS_RATE: number(
    1,
    [0.1, 1],
    'fraction',
    'The part of a batch that must be filled for it to count as completed; 1 means all of it.',
  ),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<Of extends Setting> = Of extends { kind: 'choice'; options: infer Options }
  ? keyof Options & string
  : Of extends FlagSetting
    ? boolean
    : number;

/** The settings map as served: numbers in the unit of their setting, flags as booleans, choices by their names. */
export type Settings = { [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };

const isMissing = (input: unknown) => input === undefined || input === null || input === '';

function chosen(label: string, { options }: ChoiceSetting) {
  const names = Object.keys(options);
  const rule = `${label} must be one of ${names.join(', ')}`;
  const meanings = Object.fromEntries(Object.entries(options).map(([name, { meaning }]) => [name, meaning]));
  return explained(
    meanings,
    z.enum(names, { error: ({ input }) => (isMissing(input) ? `${label} is required` : rule) }),
  );
}

/** What a new installation on the simulated exchange or on paper begins with in place of defaults, unless FIRST_SIZE_POLICY says otherwise. */
export const FIRST_SETTINGS = { SIZE_POLICY: 'best', CLIP_USD: 250 } as const satisfies Partial<Settings>;

/** As they are before their first change; what was recorded before there was a setting is read by these. */
export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
) as Settings;

/** Counted things: no part of one. */
const WHOLE: ReadonlySet<NumericSetting['unit']> = new Set(['clips']);

function ranged(label: string, { min, max, unit }: NumericSetting) {
  return z
    .number({ error: ({ input }) => (isMissing(input) ? `${label} is required` : `${label} must be a number`) })
    .check(
      z.minimum(min, `${label} must be at least ${min}`),
      z.maximum(max, `${label} must be at most ${max}`),
      z.refine((value) => !WHOLE.has(unit) || Number.isInteger(value), `${label} must be a whole number`),
      // Settings are decided with in millionths.
      z.refine((value) => Number.isInteger(Number((value * 1e6).toFixed(3))), `${label} has at most 6 decimals`),
    );
}

function fieldOf(name: string, setting: Setting) {
  if (setting.kind === 'flag') return z.boolean();
  return setting.kind === 'choice' ? chosen(name, setting) : ranged(name, setting);
}

function settingsShape() {
  const shape: Record<string, z.ZodMiniType> = {};
  for (const [name, setting] of Object.entries(SETTINGS))
    shape[name] = described(wordsOf(setting), fieldOf(name, setting));
  return shape as { [Name in SettingName]: z.ZodMiniType<Settings[Name], Settings[Name]> };
}

function wordsOf(setting: Setting): string {
  if (setting.kind !== 'number') return setting.effect;
  const { effect, unit, min, max } = setting;
  return `${effect} ${UNIT_WORDS[unit]}, from ${min} to ${max}.`;
}

const UNIT_WORDS: Record<NumericSetting['unit'], string> = {
  usd: 'US dollars',
  shares: 'Shares',
  percent: 'Percent',
  fraction: 'A fraction, 0.25 is a quarter',
  price: 'US dollars per share',
  hours: 'Hours',
  clips: 'Clips',
};

export const settingsForm = z.strictObject(settingsShape());

const tag = 'System settings';

export const readSystemSettings = endpoint({
  method: 'GET',
  path: '/system-settings/',
  access: 'superuser',
  tag,
  summary: 'All trading settings',
  reply: settingsForm,
});

const CONFIRMATION_LENGTH_MAX = 20;

export const writeSystemSettings = endpoint({
  method: 'PUT',
  path: '/system-settings/',
  access: 'superuser',
  tag,
  summary: 'Change trading settings, all or some; answers all',
  refusals: [SIGN_OFF_ASKED],
  /** The word typed to switch order simulation off on a real venue, which disarms trading; needed in no other case. */
  query: z.object({
    confirmation: described(
      'The word that switches order simulation off on a real venue, which disarms trading; needed in no other case.',
      z.optional(z.string().check(z.maxLength(CONFIRMATION_LENGTH_MAX))),
    ),
  }),
  body: z.strictObject(optional(settingsForm.shape)),
  reply: settingsForm,
});

/** Who changed which setting last; those that were never changed are left out. */
export const readSettingChanges = endpoint({
  method: 'GET',
  path: '/system-settings/changes',
  access: 'superuser',
  tag,
  summary: 'The last change of each setting',
  reply: z.object({
    data: z.array(
      z.object({
        name: z.string(),
        changed_at: described('When it was changed.', instant),
        changed_by: described(
          'The email of the person who changed it; null where their account is gone, and where the product did.',
          z.nullable(z.string()),
        ),
        by_product: described('Whether the product set it, at its first start.', z.boolean()),
      }),
    ),
  }),
});

export const clearCache = endpoint({
  method: 'POST',
  path: '/system-settings/clear-cache',
  access: 'superuser',
  tag,
  summary: 'Forget what is cached of the venue and of the settings, in every process',
  reply: message,
});
