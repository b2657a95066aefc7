import { createFileRoute } from '@tanstack/react-router';
import { NotificationDetails } from '../../../features/notifications/notification-details.tsx';

export const Route = createFileRoute('/_shell/notifications/$notificationId')({
  component: NotificationPage,
});

function NotificationPage() {
  const { notificationId } = Route.useParams();
  return <NotificationDetails key={notificationId} id={notificationId} />;
}
