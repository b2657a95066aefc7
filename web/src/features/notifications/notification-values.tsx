import type { Notification, NotificationStatus } from '@dutchbook/contract/notifications.ts';
import { StatusBadge, statusWords, type Tone } from '../../ui/status-badge.tsx';

const TONE: Record<NotificationStatus, Tone> = { pending: 'pending', sent: 'success', failed: 'error' };

/** A status of a later version shows as inactive. */
export function NotificationStatusBadge({ of: { status } }: { of: Pick<Notification, 'status'> }) {
  return <StatusBadge tone={TONE[status] ?? 'inactive'}>{statusWords(status)}</StatusBadge>;
}
