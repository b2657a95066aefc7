import type { SettingName } from '@dutchbook/contract/system-settings.ts';

/** The settings in the order of an opportunity's life; each stands in one group, after those its effect refers to. */
export const SETTING_GROUPS = [
  {
    title: 'Prices',
    names: [
      'ENABLE_WEBSOCKET',
      'USE_ORDER_BOOK_PRICES',
      'USE_CUMULATIVE_PRICING',
      'ORDER_BOOK_CUMULATIVE_THRESHOLD_USD',
    ],
  },
  {
    title: 'Triggering',
    names: ['MIN_PROFIT_TRIGGER_THRESHOLD', 'AUTO_PLACE_ORDER_ENABLED', 'ORDER_SIMULATION_ENABLED'],
  },
  {
    title: 'Gates',
    names: [
      'MIN_ANNUALISED_RETURN',
      'PRICE_DEVIATION_THRESHOLD',
      'MARKET_TIMING_VALIDATION_ENABLED',
      'PRICE_THRESHOLD_VALIDATION_ENABLED',
      'PRICE_LOW_THRESHOLD',
      'PRICE_HIGH_THRESHOLD',
    ],
  },
  { title: 'Orders', names: ['MIN_ORDER_VALUE_USD', 'MIN_ORDER_SHARES'] },
  { title: 'Size', names: ['SIZE_POLICY', 'CLIP_USD', 'CLIPS_MAX', 'LOSS_ALLOWANCE_USD'] },
  {
    title: 'Retries and timeouts',
    names: ['BATCH_COMPLETION_TIMEOUT_HOURS', 'BATCH_MIN_SUCCESS_RATE', 'MIN_PROFIT_RETRY_THRESHOLD'],
  },
] as const satisfies readonly { title: string; names: readonly SettingName[] }[];
