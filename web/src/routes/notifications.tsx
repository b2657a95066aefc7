import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { NotificationList } from '../features/notifications/notification-list.tsx';
import type { NotificationSearch } from '../features/notifications/notification-search.ts';

export const Route = createLazyRoute('/desk/notifications')({ component: NotificationsPage });

const route = getRouteApi('/desk/notifications');

function NotificationsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback((next: NotificationSearch) => void navigate({ search: next }), [navigate]);
  return <NotificationList search={search} onSearch={onSearch} />;
}
