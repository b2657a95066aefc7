import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { NotificationList } from '../../../features/notifications/notification-list.tsx';
import {
  type NotificationSearch,
  notificationSearchFrom,
} from '../../../features/notifications/notification-search.ts';
import { NEWEST_FIRST } from '../../../lists/list-search.ts';

export const Route = createFileRoute('/_shell/notifications/')({
  validateSearch: (raw: Partial<NotificationSearch> & SearchSchemaInput) => notificationSearchFrom(raw),
  search: { middlewares: [stripSearchParams(NEWEST_FIRST)] },
  component: NotificationList,
});
