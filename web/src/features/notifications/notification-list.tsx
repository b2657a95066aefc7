import { exportNotifications, type Notification } from '@dutchbook/contract/notifications.ts';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { call } from '../../calls/call.ts';
import { ExportButton } from '../../lists/export-button.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { rememberSearch } from '../../lists/list-search.ts';
import { useListSettings } from '../../lists/list-settings.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { bulkActions } from './bulk-actions.ts';
import { NoChannelNote } from './no-channel-note.tsx';
import { notificationColumns } from './notification-columns.tsx';
import { DeleteNotificationDialog } from './notification-delete-dialog.tsx';
import { notificationListQuery, useLatestNotification } from './notification-queries.ts';
import { filterOf, NOTIFICATION_SEARCH_DEFAULTS, type NotificationSearch } from './notification-search.ts';
import { NotificationStatsCards } from './notification-stats.tsx';
import { NotificationTools } from './notification-tools.tsx';
import { isOfNotifications, notificationsKey } from './sending-status.ts';

type NotificationListProps = { search: NotificationSearch; onSearch: (search: NotificationSearch) => void };

/** What people are told of: the statistics and one page of the list, live. */
export function NotificationList({ search, onSearch }: NotificationListProps) {
  useTopic('notifications');
  const client = useQueryClient();
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: notificationsKey }), [client]);
  useReadSoon(isOfNotifications, refresh);
  useEffect(() => rememberSearch('/notifications', search), [search]);
  return (
    <>
      <PageHeader
        title="Notifications"
        actions={<ExportButton what="notifications" ask={exportFound} asked={search} />}
      />
      <NoChannelNote />
      <NotificationStatsCards />
      <NotificationPage search={search} onSearch={onSearch} refresh={refresh} />
    </>
  );
}

function exportFound(search: NotificationSearch): Promise<string> {
  return call(exportNotifications, { query: filterOf(search) });
}

function NotificationPage({ search, onSearch, refresh }: NotificationListProps & { refresh: () => void }) {
  const { pageSize } = useListSettings('notifications');
  const query = useQuery(notificationListQuery(search, pageSize));
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ about: Notification; opened: boolean }>();
  const columns = useMemo(() => notificationColumns((about) => setAsked({ about, opened: true })), []);
  const close = () => setAsked((known) => known && { ...known, opened: false });
  return (
    <>
      <NotificationTools columns={columns} search={search} onSearch={onSearch} />
      <ListFrame
        list="notifications"
        label="Notifications"
        things="notifications"
        query={query}
        refresh={refresh}
        columns={columns}
        search={search}
        onSearch={onSearch}
        useLatest={useLatestNotification}
        onOpen={({ id }) => navigate({ to: '/notifications/$notificationId', params: { notificationId: id } })}
        empty={
          <NoNotifications
            filtered={Object.keys(filterOf(search)).length > 0}
            onShowAll={() => onSearch(NOTIFICATION_SEARCH_DEFAULTS)}
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

function NoNotifications({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) {
  return (
    <EmptyState
      icon="bell"
      text="No notifications found."
      hint={filtered ? 'None match these filters.' : 'One appears here when an opportunity comes up to its trigger.'}
    >
      {filtered && (
        <Button variant="default" onClick={onShowAll}>
          Show All
        </Button>
      )}
    </EmptyState>
  );
}
