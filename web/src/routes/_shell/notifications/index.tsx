import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { NotificationList } from '../../../features/notifications/notification-list.tsx';
import {
  NOTIFICATION_SEARCH_DEFAULTS,
  type NotificationSearch,
  notificationSearchFrom,
} from '../../../features/notifications/notification-search.ts';

export const Route = createFileRoute('/_shell/notifications/')({
  validateSearch: (raw: Partial<NotificationSearch> & SearchSchemaInput) => notificationSearchFrom(raw),
  search: { middlewares: [stripSearchParams(NOTIFICATION_SEARCH_DEFAULTS)] },
  component: NotificationsPage,
});

function NotificationsPage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch = useCallback((next: NotificationSearch) => void navigate({ search: next }), [navigate]);
  return <NotificationList search={search} onSearch={onSearch} />;
}
