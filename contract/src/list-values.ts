/**
 * What a list is narrowed and sorted by on the screen. Apart from the calls, so that reading an address does not load them
 * before the login page.
 */

export const BATCH_STATUSES = [
  'pending',
  'processing',
  'completed',
  'sold',
  'partial_completed',
  'failed',
  'canceled',
  'retry_pending',
] as const;

export const ORDER_STATUSES = [
  'pending',
  'processing',
  'open',
  'partially_filled',
  'filled',
  'canceled',
  'rejected',
  'failed',
] as const;

export const ORDER_SIDES = ['buy', 'sell'] as const;

export const NOTIFICATION_TYPE_NAMES = [
  'opportunity_triggered',
  'opportunity_error',
  'opportunity_alert',
  'order_placed',
  'batch_completed',
  'batch_partial',
  'batch_failed',
  'batch_sold',
  'sale_ended',
  'leg_risk',
  'order_unknown',
  'settlement_failed',
  'submission_failed',
  'submission_differs',
  'submission_unknown',
  'relation_void',
  'external_order',
  'trade_unreadable',
  'payout_changed',
  'cash_move',
  'start_over',
  'ledger_difference',
  'unknown_dollars',
  'fee_difference',
  'feed_down',
  'dead_mans_switch',
  'chat_unreadable',
  'kill_switch',
  'sign_off_asked',
  'test',
] as const;

/** What a person looks for among notifications: the types that answer it. */
export const NOTIFICATION_SUBJECTS = {
  attention: [
    ...['leg_risk', 'order_unknown', 'settlement_failed', 'submission_failed', 'submission_differs'],
    ...['submission_unknown', 'batch_partial', 'batch_failed', 'external_order', 'trade_unreadable', 'payout_changed'],
    ...['ledger_difference', 'unknown_dollars', 'fee_difference', 'feed_down', 'dead_mans_switch', 'chat_unreadable'],
    ...['kill_switch', 'sign_off_asked', 'relation_void', 'opportunity_error'],
  ],
  trades: ['order_placed', 'batch_completed', 'batch_partial', 'batch_failed', 'batch_sold', 'sale_ended'],
  opportunities: ['opportunity_triggered', 'opportunity_alert', 'opportunity_error', 'relation_void'],
} as const satisfies Record<string, readonly (typeof NOTIFICATION_TYPE_NAMES)[number][]>;
export type NotificationSubject = keyof typeof NOTIFICATION_SUBJECTS;

export const NOTIFICATION_STATUSES = ['pending', 'sent', 'failed'] as const;

/** What the columns of the batches sort by; each has an index. */
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

export const RELATION_KINDS = ['pair', 'at_most_one', 'exactly_one', 'ladder', 'buckets'] as const;

/** Who says that a relation holds, strongest first. */
export const RELATION_BASES = ['enforced', 'declared', 'parsed', 'human'] as const;

export const RELATION_STATES = ['proposed', 'approved', 'rejected', 'void'] as const;

/** How a list of relations shows the two outcomes of single markets. */
export const PAIR_VIEWS = ['left_out', 'by_event', 'each'] as const;

/** In the order of their life; `unknown` may come between `sent` and `mined`. */
export const CHAIN_STATUSES = ['planned', 'approving', 'sent', 'unknown', 'mined', 'confirmed', 'failed'] as const;
