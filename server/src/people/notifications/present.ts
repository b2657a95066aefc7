import type { Notification } from '@dutchbook/contract/notifications.ts';
import type { NotificationStats } from '@dutchbook/contract/sending-status.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import type { countNotifications, NotificationRow } from './store.ts';

export function presentNotification(row: NotificationRow): Notification {
  return {
    id: row.id,
    opportunity_id: row.opportunityId,
    notification_type: row.notificationType,
    message: row.message,
    status: row.status,
    sent_at: row.sentAt,
    attempts: row.attempts,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    error_message: row.errorMessage,
    data: row.data,
  };
}

export function presentStats(counted: Awaited<ReturnType<typeof countNotifications>>): NotificationStats {
  const { total, pending, sent, failed, attention, recent, averageAttempts } = counted;
  const tried = sent + failed;
  return {
    total_notifications: total,
    pending_count: pending,
    sent_count: sent,
    failed_count: failed,
    attention_count: attention,
    recent_notifications: recent,
    avg_attempts: averageAttempts,
    success_rate: tried === 0 ? null : percentFromNumber((sent / tried) * 100),
  };
}
