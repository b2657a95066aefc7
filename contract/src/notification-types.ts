import type { NOTIFICATION_TYPE_NAMES } from './list-values.ts';

/** `toast`: shown at once on every page. `mutable: false`: it cannot be muted. */
type Notice = { title: string; toast?: true; mutable?: false };

/** The types of notifications. */
const NOTIFICATION_TYPES = {
  opportunity_triggered: { title: 'Opportunity triggered' },
  opportunity_error: { title: 'Opportunity in error' },
  opportunity_alert: { title: 'Alert reached', toast: true },
  order_placed: { title: 'Orders placed' },
  batch_completed: { title: 'Batch completed' },
  batch_partial: { title: 'Batch completed in part' },
  batch_failed: { title: 'Batch failed' },
  batch_sold: { title: 'Batch sold' },
  sale_ended: { title: 'Waiting sale ended', toast: true },
  leg_risk: { title: 'Leg risk', toast: true, mutable: false },
  order_unknown: { title: 'Order unknown' },
  settlement_failed: { title: 'Settlement failed', toast: true },
  submission_failed: { title: 'Submission failed', toast: true },
  submission_differs: { title: 'Submission moved something else', toast: true },
  submission_unknown: { title: 'Submission unknown', toast: true },
  relation_void: { title: 'Relation void' },
  external_order: { title: 'External order', toast: true },
  trade_unreadable: { title: 'Trade cannot be read', toast: true },
  payout_changed: { title: 'Payout changed', toast: true },
  cash_move: { title: 'Cash moved', toast: true },
  start_over: { title: 'Started over', toast: true },
  ledger_difference: { title: 'Ledger difference', toast: true },
  unknown_dollars: { title: 'Dollars of unknown origin', toast: true },
  fee_difference: { title: 'Fee difference', toast: true, mutable: false },
  feed_down: { title: 'Price feed down' },
  dead_mans_switch: { title: 'Dead man’s switch' },
  chat_unreadable: { title: 'Chat not read', toast: true, mutable: false },
  kill_switch: { title: 'Kill switch', toast: true, mutable: false },
  sign_off_asked: { title: 'Sign-off asked for', toast: true },
  test: { title: 'Test' },
} as const satisfies Record<NotificationType, Notice>;

export type NotificationType = (typeof NOTIFICATION_TYPE_NAMES)[number];

/** Null for a type of a later version. */
export function noticeOf(type: string): Notice | null {
  return Object.hasOwn(NOTIFICATION_TYPES, type) ? NOTIFICATION_TYPES[type as NotificationType] : null;
}
