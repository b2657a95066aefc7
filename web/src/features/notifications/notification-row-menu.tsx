import type { Notification } from '@dutchbook/contract/notifications.ts';
import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { shortId } from '../../ui/copyable.tsx';
import { Icon } from '../../ui/icons.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useRetryNotification } from './notification-actions.ts';

type NotificationRowMenuProps = { notification: Notification; onDelete: (notification: Notification) => void };

export function NotificationRowMenu({ notification, onDelete }: NotificationRowMenuProps) {
  const { id, status } = notification;
  const retry = useRetryNotification();
  return (
    <RowMenu of={shortId(id)}>
      <Menu.Item
        leftSection={<Icon name="eye" size={16} />}
        renderRoot={(props) => <Link to="/notifications/$notificationId" params={{ notificationId: id }} {...props} />}
      >
        View Details
      </Menu.Item>
      {status === 'failed' && (
        <Menu.Item leftSection={<Icon name="refresh" size={16} />} onClick={() => retry.start(id)}>
          Retry Send
        </Menu.Item>
      )}
      <Menu.Item
        c="var(--error-ink)"
        leftSection={<Icon name="trash" size={16} />}
        onClick={() => onDelete(notification)}
      >
        Delete
      </Menu.Item>
    </RowMenu>
  );
}
