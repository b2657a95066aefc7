import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { NotificationDetails } from '../features/notifications/notification-details.tsx';

export const Route = createLazyRoute('/desk/notifications/$notificationId')({ component: NotificationPage });

const route = getRouteApi('/desk/notifications/$notificationId');

function NotificationPage() {
  const { notificationId } = route.useParams();
  return <NotificationDetails key={notificationId} id={notificationId} />;
}
