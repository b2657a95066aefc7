import { NOTIFICATION_STATUSES } from '@dutchbook/contract/list-values.ts';
import { exportNotifications, type Notification } from '@dutchbook/contract/notifications.ts';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { call } from '../../calls/call.ts';
import { ExportButton } from '../../lists/export-button.tsx';
import { choicesOf, type FilterField, refusePartOfId } from '../../lists/filter-fields.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListPage } from '../../lists/list-query.ts';
import { filterOf } from '../../lists/list-search.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { bulkActions } from './bulk-actions.ts';
import { NoChannelNote } from './no-channel-note.tsx';
import { notificationColumns } from './notification-columns.tsx';
import { DeleteNotificationDialog } from './notification-delete-dialog.tsx';
import { notificationListQuery, useLatestNotification } from './notification-queries.ts';
import { type NotificationSearch, notificationSearchFrom, TYPES } from './notification-search.ts';
import { NotificationStatsCards } from './notification-stats.tsx';
import { isOfNotifications } from './sending-status.ts';

type NotificationListProps = { search: NotificationSearch; onSearch: (search: NotificationSearch) => void };

/** What people are told of: the statistics and one page of the list, live. */
export function NotificationList({ search, onSearch }: NotificationListProps) {
  useTopic('notifications');
  const page = useListPage({
    list: 'notifications',
    search,
    searchFrom: notificationSearchFrom,
    onSearch,
    queryOf: notificationListQuery,
  });
  useReadSoon(isOfNotifications, page.refresh);
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ about: Notification; opened: boolean }>();
  const columns = useMemo(() => notificationColumns((about) => setAsked({ about, opened: true })), []);
  const close = () => setAsked((known) => known && { ...known, opened: false });
  return (
    <>
      <PageHeader
        title="Notifications"
        actions={<ExportButton what="notifications" ask={exportFound} asked={search} />}
      />
      <NoChannelNote />
      <NotificationStatsCards />
      <ListFrame
        {...page}
        label="Notifications"
        icon="bell"
        findHint="Message, market or ID"
        fields={FIELDS}
        columns={columns}
        useLatest={useLatestNotification}
        onOpen={({ id }) => navigate({ to: '/notifications/$notificationId', params: { notificationId: id } })}
        empty={
          <EmptyState
            icon="bell"
            text="No notifications found."
            hint="One appears here when an opportunity comes up to its trigger."
          />
        }
        actions={bulkActions}
      />
      {asked && (
        <DeleteNotificationDialog opened={asked.opened} notification={asked.about} onDeleted={close} onClose={close} />
      )}
    </>
  );
}

const FIELDS: readonly FilterField<'status' | 'notification_type' | 'opportunity_id'>[] = [
  { name: 'status', label: 'Status', flex: '0 1 160px', choices: choicesOf('All statuses', NOTIFICATION_STATUSES) },
  { name: 'notification_type', label: 'Type', flex: '0 1 160px', choices: choicesOf('All types', TYPES) },
  { name: 'opportunity_id', label: 'Opportunity ID', flex: '0 1 260px', refusal: refusePartOfId },
];

function exportFound(search: NotificationSearch): Promise<string> {
  return call(exportNotifications, { query: filterOf(search) });
}
