/**
 * What the columns of the batches on the screen sort by; each has an index. Apart from the calls, so that reading an address
 * does not load them.
 */
export const BATCH_SCREEN_SORTS = [
  'id',
  'created_at',
  'opportunity_id',
  'status',
  'total_orders',
  'target_profit_usd',
  'actual_profit_usd',
  'retry_count',
] as const;
