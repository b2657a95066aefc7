import type { SettingName } from '../system-settings.ts';

/** What each setting is called in plain words, above the name that calls and messages use. */
export const SETTING_LABELS: Readonly<Record<SettingName, string>> = {
  ENABLE_WEBSOCKET: 'Live stream of the venue',
  USE_ORDER_BOOK_PRICES: 'Prices from the order book',
  USE_CUMULATIVE_PRICING: 'Price of a depth, not of the best ask',
  ORDER_BOOK_CUMULATIVE_THRESHOLD_USD: 'That depth',
  MIN_PROFIT_TRIGGER_THRESHOLD: 'Profit that triggers',
  AUTO_PLACE_ORDER_ENABLED: 'Buy automatically',
  ORDER_SIMULATION_ENABLED: 'Only simulate orders',
  MIN_ANNUALISED_RETURN: 'Least return a year',
  PRICE_DEVIATION_THRESHOLD: 'Greatest move since the quote',
  MARKET_TIMING_VALIDATION_ENABLED: 'Leave markets that are about to end',
  PRICE_THRESHOLD_VALIDATION_ENABLED: 'Keep to a range of prices',
  PRICE_LOW_THRESHOLD: 'Lowest price',
  PRICE_HIGH_THRESHOLD: 'Highest price',
  MIN_ORDER_VALUE_USD: 'Least value of an order',
  MIN_ORDER_SHARES: 'Least shares of an order',
  SIZE_POLICY: 'How much is bought',
  CLIP_USD: 'Most dollars of a clip',
  CLIPS_MAX: 'Most clips in a row',
  LOSS_ALLOWANCE_USD: 'Most that a clip may lose',
  BATCH_COMPLETION_TIMEOUT_HOURS: 'Time for a batch to be filled',
  BATCH_MIN_SUCCESS_RATE: 'Part that counts as completed',
  MIN_PROFIT_RETRY_THRESHOLD: 'Profit that a retry needs',
};

const CONSTANT = /\b[A-Z]{2,20}(?:_[A-Z]{2,20}){1,6}\b/g;

/** A setting within a sentence. */
export function settingWords(name: SettingName): string {
  return `“${SETTING_LABELS[name]}”`;
}

/** A reason as a person reads it: settings by their plain names, where a message has the names that calls have. */
export function plainWords(message: string): string {
  return message.replace(CONSTANT, (name) =>
    Object.hasOwn(SETTING_LABELS, name) ? settingWords(name as SettingName) : name,
  );
}
