import type { Notification, NotificationStatus } from '@dutchbook/contract/notifications.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { LocalTime } from '../../ui/local-time.tsx';
import { StatusBadge, statusWords, type Tone } from '../../ui/status-badge.tsx';
import { useHasChannel } from './sending-status.ts';

const TONE: Record<NotificationStatus, Tone> = { pending: 'pending', sent: 'success', failed: 'error' };

/** The state of one that waits, where nothing can be sent. */
export const NOT_SENT = 'Not Sent';

/** One without a receiver says so; a status of a later version shows as inactive. */
export function NotificationStatusBadge({ of: { status } }: { of: Pick<Notification, 'status'> }) {
  const hasChannel = useHasChannel();
  if (status === 'pending' && hasChannel === false)
    return (
      <span title="No channel is set up: it is kept here">
        <StatusBadge tone="inactive">{NOT_SENT}</StatusBadge>
      </span>
    );
  return <StatusBadge tone={TONE[status] ?? 'inactive'}>{statusWords(status)}</StatusBadge>;
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;

/** The server writes until when one waits in UTC: it shows in the reader's own time zone. */
export function ErrorMessage({ text }: { text: string }) {
  const [iso] = ISO_TIME.exec(text) ?? [];
  if (iso === undefined) return text;
  const [before, after] = text.split(iso);
  return (
    <>
      {before}
      <LocalTime at={instantFromIso(iso)} />
      {after}
    </>
  );
}
