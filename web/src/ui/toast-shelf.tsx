import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications, notifications } from '@mantine/notifications';

export const showToast = notifications.show;

/** Where toasts appear: at the top, at the end of the line. */
export function ToastShelf() {
  return <Notifications position="top-right" containerWidth={360} />;
}
