import type { Notification } from '@dutchbook/contract/notifications.ts';
import { Link } from '@tanstack/react-router';
import { RepeatsButton } from '../../lists/live-table.tsx';
import { Selectable } from '../../lists/selection.tsx';
import type { Read } from '../../live/fresher.ts';
import { CopiedId, shortId } from '../../ui/copyable.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/local-time.tsx';
import type { MenuEntry } from '../../ui/menu-items.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import { useRetryNotification } from './notification-actions.ts';
import styles from './notification-columns.module.css';
import type { NotificationSearch } from './notification-search.ts';
import { NotificationStatusBadge } from './notification-values.tsx';

type Row = Read<Notification>;

const NONE = '–';

/** The columns of the list; `onDelete` gets the row whose menu asked for its deletion. */
export function notificationColumns(
  onDelete: (notification: Notification) => void,
): readonly Column<Row, NotificationSearch['sortBy']>[] {
  return [
    {
      key: 'message',
      header: 'Message',
      sortBy: 'message',
      wide: true,
      fills: true,
      cell: (row) => (
        <Selectable row={row}>
          <Message of={row} />
        </Selectable>
      ),
    },
    { key: 'created', header: 'Created', sortBy: 'created_at', cell: (row) => <Moment at={row.created_at} /> },
    {
      key: 'type',
      header: 'Type',
      sortBy: 'notification_type',
      cell: (row) => <div className={styles.type}>{statusWords(row.notification_type)}</div>,
    },
    { key: 'status', header: 'Status', sortBy: 'status', cell: (row) => <NotificationStatusBadge of={row} /> },
    {
      key: 'sent',
      header: 'Sent At',
      sortBy: 'sent_at',
      spare: true,
      cell: ({ sent_at }) => (sent_at === null ? NONE : <Moment at={sent_at} />),
    },
    {
      key: 'attempts',
      header: 'Attempts',
      sortBy: 'attempts',
      align: 'end',
      spare: true,
      cell: ({ attempts }) => attempts,
    },
    {
      key: 'opportunity',
      header: 'Opp ID',
      sortBy: 'opportunity_id',
      folds: true,
      cell: ({ opportunity_id: id }) => (id === null ? NONE : <CopiedId id={id} what="Opportunity ID" />),
    },
    {
      key: 'id',
      header: 'ID',
      sortBy: 'id',
      folds: true,
      cell: ({ id }) => <CopiedId id={id} what="Notification ID" />,
    },
    {
      key: 'actions',
      header: 'Actions',
      align: 'end',
      cell: (row) => <NotificationRowMenu notification={row} onDelete={onDelete} />,
    },
  ];
}

/** What it is about on a line of its own, where the message begins with that. */
function Message({ of: { id, message, data } }: { of: Notification }) {
  const { name: about } = data;
  const name = typeof about === 'string' && message.startsWith(`${about}: `) ? about : null;
  return (
    <span className={styles.cell}>
      <Link
        to="/notifications/$notificationId"
        params={{ notificationId: id }}
        title={message}
        className={styles.message}
      >
        {name === null ? (
          message
        ) : (
          <>
            <strong>{name}</strong>
            <span className="visually-hidden">: </span>
            <span className={styles.what}>{message.slice(name.length + 2)}</span>
          </>
        )}
      </Link>
      <RepeatsButton id={id} />
    </span>
  );
}

type NotificationRowMenuProps = { notification: Notification; onDelete: (notification: Notification) => void };

function NotificationRowMenu({ notification, onDelete }: NotificationRowMenuProps) {
  const { id, status } = notification;
  const retry = useRetryNotification();
  const entries: MenuEntry[] = [
    {
      label: 'View Details',
      icon: 'eye',
      link: (props) => (
        <Link to="/notifications/$notificationId" params={{ notificationId: id }} preload={false} {...props} />
      ),
    },
  ];
  if (status === 'failed')
    entries.push({ label: 'Retry Send', icon: 'refresh', onChoose: () => retry.start(id), changes: true });
  entries.push({
    label: 'Delete',
    icon: 'trash',
    tone: 'danger',
    onChoose: () => onDelete(notification),
    changes: true,
  });
  return <RowMenu of={shortId(id)} entries={entries} />;
}
