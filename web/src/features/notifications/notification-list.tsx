import type { Notification } from '@dutchbook/contract/notifications.ts';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { rememberSearch } from '../../lists/list-search.ts';
import { LiveTable } from '../../lists/live-table.tsx';
import type { Read } from '../../live/fresher.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, ErrorBar } from '../../ui/states.tsx';
import { usePageThatExists } from '../../ui/use-page-that-exists.ts';
import { notificationColumns } from './notification-columns.tsx';
import { DeleteNotificationDialog } from './notification-delete-dialog.tsx';
import { NotificationFilters } from './notification-filters.tsx';
import {
  isOfNotifications,
  notificationListQuery,
  notificationsKey,
  PAGE_SIZE,
  useLatestNotification,
} from './notification-queries.ts';
import { filterOf, NOTIFICATION_SEARCH_DEFAULTS, type NotificationSearch } from './notification-search.ts';
import { NotificationStatsCards } from './notification-stats.tsx';

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
      <PageHeader title="Notifications" />
      <NotificationStatsCards />
      <NotificationFilters search={search} onSearch={onSearch} />
      <NotificationPage search={search} onSearch={onSearch} />
    </>
  );
}

function NotificationPage({ search, onSearch }: NotificationListProps) {
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(notificationListQuery(search));
  const toPage = useCallback((page: number) => onSearch({ ...search, page }), [search, onSearch]);
  usePageThatExists({ page: search.page, pageSize: PAGE_SIZE, count: data?.count, onPage: toPage });
  return (
    <>
      {error && (
        <ErrorBar
          text={`Error loading notifications: ${errorText(error)}`}
          onRetry={() => refetch()}
          retrying={isFetching}
        />
      )}
      {data?.count === 0 ? (
        <NoNotifications
          filtered={Object.keys(filterOf(search)).length > 0}
          onShowAll={() => onSearch(NOTIFICATION_SEARCH_DEFAULTS)}
        />
      ) : (
        (data !== undefined || error === null) && (
          <NotificationTable rows={data?.data} busy={isPlaceholderData} search={search} onSearch={onSearch} />
        )
      )}
      {data !== undefined && data.count > 0 && (
        <Pager page={search.page} pageSize={PAGE_SIZE} count={data.count} onPage={toPage} />
      )}
    </>
  );
}

type NotificationTableProps = NotificationListProps & {
  rows: readonly Read<Notification>[] | undefined;
  busy: boolean;
};

const none: readonly never[] = [];

function NotificationTable({ rows, busy, search, onSearch }: NotificationTableProps) {
  const [deleted, noteDeleted] = useReducer((ids: readonly string[], id: string) => [...ids, id], none);
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ about: Notification; opened: boolean }>();
  const columns = useMemo(() => notificationColumns((about) => setAsked({ about, opened: true })), []);
  const close = () => setAsked((known) => known && { ...known, opened: false });
  return (
    <>
      <LiveTable
        label="Notifications"
        columns={columns}
        rows={rows}
        pageSize={PAGE_SIZE}
        busy={busy}
        search={search}
        onSearch={onSearch}
        useLatest={useLatestNotification}
        onOpen={({ id }) => navigate({ to: '/notifications/$notificationId', params: { notificationId: id } })}
        deleted={deleted}
      />
      {asked && (
        <DeleteNotificationDialog
          opened={asked.opened}
          notification={asked.about}
          onDeleted={() => {
            noteDeleted(asked.about.id);
            close();
          }}
          onClose={close}
        />
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
