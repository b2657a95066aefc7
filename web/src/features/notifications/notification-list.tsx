import { exportNotifications, type ListedNotification, listNotifications } from '@dutchbook/contract/notifications.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { call } from '../../calls/call.ts';
import { ExportButton } from '../../lists/export-button.tsx';
import { fieldsOf } from '../../lists/filter-fields.tsx';
import { type List, useList, useListSearch } from '../../lists/list.ts';
import { ListFrame } from '../../lists/list-frame.tsx';
import { filterOf } from '../../lists/list-search.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useAsked } from '../../ui/use-asked.ts';
import { currentUserQuery } from '../session/current-user.ts';
import { useFieldsByVenue } from '../status/system-status.ts';
import { bulkActions } from './bulk-actions.ts';
import styles from './no-channel-note.module.css';
import { foldKey, notificationColumns } from './notification-columns.tsx';
import { DeleteNotificationDialog } from './notification-delete-dialog.tsx';
import { useLatestNotification } from './notification-queries.ts';
import { NOTIFICATION_FILTER, type NotificationSearch, notificationSearchFrom } from './notification-search.ts';
import { NotificationStatsCards } from './notification-stats.tsx';
import { NOT_SENT } from './notification-values.tsx';
import { isOfNotifications, useHasChannel, useProbablyHasChannel } from './sending-status.ts';

const FIELDS = fieldsOf(NOTIFICATION_FILTER);
const NEWEST = { sort_by: 'created_at', sort_order: 'desc' } as const;

const NOTIFICATIONS: Omit<List<ListedNotification, NotificationSearch>, 'columns' | 'fields' | 'actions'> = {
  name: 'notifications',
  label: 'Notifications',
  icon: 'bell',
  searchFrom: notificationSearchFrom,
  read: (page, search, signal) =>
    call(listNotifications, { query: { ...page, ...filterOf(search), folded: !search.each }, signal }),
  folds: {
    words: { each: 'Single Rows', folded: 'Fold Equal Ones' },
    keyOf: foldKey,
    read: async (row, search, { skip, limit }, signal) => {
      const query = { ...filterOf(search), like: row.id, skip, limit: limit + 1, ...NEWEST };
      const { data, count } = await call(listNotifications, { query, signal });
      // The newest is the row itself.
      return { data: data.filter(({ id }) => id !== row.id).slice(0, limit), count: count - 1 };
    },
  },
  findHint: 'Message, market or ID',
  useLatest: useLatestNotification,
  open: ({ id }, navigate) => navigate({ to: '/notifications/$notificationId', params: { notificationId: id } }),
  empty: (
    <EmptyState
      icon="bell"
      text="No notifications found."
      hint="One appears here when an opportunity comes up to its trigger."
    />
  ),
};

/** Without a channel what would wait is said not to be sent, in the rows and in what is chosen from. */
const FIELDS_WITHOUT_CHANNEL = FIELDS.map((field) =>
  field.name === 'status' && 'choices' in field
    ? {
        ...field,
        choices: field.choices.map((each) => (each.value === 'pending' ? { ...each, label: NOT_SENT } : each)),
      }
    : field,
);

/** Notifications: the statistics and one page of the list, live. */
export function NotificationList() {
  const { search } = useListSearch(notificationSearchFrom);
  const download = () => call(exportNotifications, { query: filterOf(search) });
  return (
    <>
      <PageHeader title="Notifications" actions={<ExportButton what="notifications" ask={download} />} />
      <NoChannelNote />
      <NotificationStatsCards />
      <NotificationPage />
    </>
  );
}

/** Apart from what stands above, which is not to be drawn again when the page arrives. */
function NotificationPage() {
  const { asked, ask, close } = useAsked<ListedNotification>();
  const fields = useFieldsByVenue(useHasChannel() === false ? FIELDS_WITHOUT_CHANNEL : FIELDS);
  const { search } = useListSearch(notificationSearchFrom);
  const foldedBy = useMemo(() => filterOf(search), [search]);
  const list = useList({
    ...NOTIFICATIONS,
    fields,
    columns: useMemo(() => notificationColumns(ask), [ask]),
    actions: useMemo(() => bulkActions(foldedBy), [foldedBy]),
  });
  useTopic('notifications');
  useReadSoon(isOfNotifications, list.refresh);
  return (
    <>
      <ListFrame {...list} />
      {asked && (
        <DeleteNotificationDialog
          opened={asked.opened}
          notification={asked.about}
          foldedBy={foldedBy}
          onDeleted={close}
          onClose={close}
        />
      )}
    </>
  );
}

/** Says, where no channel is set up, that notifications are not sent, and how they can be; until that is known it keeps its place. */
function NoChannelNote() {
  const { data: user } = useQuery(currentUserQuery);
  const hasChannel = useHasChannel();
  if (useProbablyHasChannel()) return null;
  if (hasChannel === undefined || user === undefined)
    return (
      <p className={`${styles.note} ${styles.reserved}`} aria-hidden="true">
        {KEPT_HERE} Set Up Telegram
      </p>
    );
  return (
    <p className={styles.note}>
      {KEPT_HERE}{' '}
      {user.is_superuser ? (
        <Link to="/settings" search={{ tab: 'telegram' }}>
          Set Up Telegram
        </Link>
      ) : (
        'A superuser can set one up.'
      )}
    </p>
  );
}

const KEPT_HERE = 'No channel is set up: notifications are kept here and not sent.';
