import type { AuditAction } from '@dutchbook/contract/audit.ts';

/** What was done, as people say it; each reads on after who did it. */
export const ACTION_WORDS: Record<AuditAction, string> = {
  'session.opened': 'Logged in',
  'user.signed_up': 'Signed up',
  'user.created': 'Added a user',
  'user.changed': 'Changed a user',
  'user.deleted': 'Deleted a user',
  'password.changed': 'Changed the own password',
  'password.recovery_requested': 'Asked for a password recovery email',
  'password.recovery_shown': 'Read a password recovery email',
  'password.reset': 'Reset a password',
  'item.created': 'Added an item',
  'item.changed': 'Changed an item',
  'item.deleted': 'Deleted an item',
  'settings.changed': 'Changed system settings',
  'limits.changed': 'Set limits',
  'cache.cleared': 'Cleared the cache',
  'trading.armed': 'Armed trading',
  'trading.disarmed': 'Disarmed trading',
  'opportunity.created': 'Added an opportunity',
  'opportunity.changed': 'Changed an opportunity',
  'opportunity.deleted': 'Deleted an opportunity',
  'opportunities.imported': 'Imported opportunities',
  'opportunities.rehashed': 'Computed all content hashes again',
  'order.placed': 'Placed an order',
  'email.tested': 'Sent a test email',
};
