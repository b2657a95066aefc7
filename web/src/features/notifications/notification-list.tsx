import { NOTIFICATION_STATUSES, NOTIFICATION_TYPE_NAMES } from '@dutchbook/contract/list-values.ts';
import { exportNotifications, type Notification } from '@dutchbook/contract/notifications.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
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
import { useAsked } from '../../ui/use-asked.ts';
import { currentUserQuery } from '../session/current-user.ts';
import { bulkActions } from './bulk-actions.ts';
import styles from './no-channel-note.module.css';
import { notificationColumns } from './notification-columns.tsx';
import { DeleteNotificationDialog } from './notification-delete-dialog.tsx';
import { notificationListQuery, useLatestNotification } from './notification-queries.ts';
import { type NotificationSearch, notificationSearchFrom } from './notification-search.ts';
import { NotificationStatsCards } from './notification-stats.tsx';
import { isOfNotifications, useHasChannel } from './sending-status.ts';

type NotificationListProps = { search: NotificationSearch; onSearch: (search: NotificationSearch) => void };

/** Notifications: the statistics and one page of the list, live. */
export function NotificationList({ search, onSearch }: NotificationListProps) {
  return (
    <>
      <PageHeader
        title="Notifications"
        actions={<ExportButton what="notifications" ask={exportFound} asked={search} />}
      />
      <NoChannelNote />
      <NotificationStatsCards />
      <NotificationPage search={search} onSearch={onSearch} />
    </>
  );
}

/** Apart from what stands above, which is not to be drawn again when the page arrives. */
function NotificationPage({ search, onSearch }: NotificationListProps) {
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
  const { asked, ask, close } = useAsked<Notification>();
  const columns = useMemo(() => notificationColumns(ask), [ask]);
  return (
    <>
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
  {
    name: 'notification_type',
    label: 'Type',
    flex: '0 1 160px',
    choices: choicesOf('All types', NOTIFICATION_TYPE_NAMES),
  },
  { name: 'opportunity_id', label: 'Opportunity ID', flex: '0 1 260px', refusal: refusePartOfId },
];

function exportFound(search: NotificationSearch): Promise<string> {
  return call(exportNotifications, { query: filterOf(search) });
}

/** Says, where that is so, that nothing is sent to anybody, and how it can be. */
function NoChannelNote() {
  const { data: user } = useQuery(currentUserQuery);
  if (useHasChannel() !== false || user === undefined) return null;
  return (
    <p className={styles.note}>
      No channel is set up: notifications are kept here and not sent.{' '}
      {user.is_superuser ? <Link to="/settings">Set Up Telegram</Link> : 'A superuser can set one up.'}
    </p>
  );
}
