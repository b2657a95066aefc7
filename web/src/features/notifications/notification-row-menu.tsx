import type { Notification } from '@dutchbook/contract/notifications.ts';
import { Link } from '@tanstack/react-router';
import { shortId } from '../../ui/copyable.tsx';
import type { MenuEntry } from '../../ui/menu-items.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useRetryNotification } from './notification-actions.ts';

type NotificationRowMenuProps = { notification: Notification; onDelete: (notification: Notification) => void };

export function NotificationRowMenu({ notification, onDelete }: NotificationRowMenuProps) {
  const { id, status } = notification;
  const retry = useRetryNotification();
  const entries: MenuEntry[] = [
    {
      label: 'View Details',
      icon: 'eye',
      link: (props) => (
        <Link to="/notifications/$notificationId" params={{ notificationId: id }} preload={false} {...props} />
      ),
    },
  ];
  if (status === 'failed') entries.push({ label: 'Retry Send', icon: 'refresh', onChoose: () => retry.start(id) });
  entries.push({ label: 'Delete', icon: 'trash', tone: 'danger', onChoose: () => onDelete(notification) });
  return <RowMenu of={shortId(id)} entries={entries} />;
}
