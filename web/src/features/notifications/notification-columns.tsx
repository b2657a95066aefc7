import { NOTIFICATION_SUBJECTS } from '@dutchbook/contract/list-values.ts';
import type { ListedNotification } from '@dutchbook/contract/notifications.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { Link } from '@tanstack/react-router';
import { UnfoldButton } from '../../lists/live-table.tsx';
import { Selectable } from '../../lists/selection.tsx';
import type { Read } from '../../live/fresher.ts';
import { CopiedId, shortId } from '../../ui/copyable.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { LocalTime, Moment } from '../../ui/local-time.tsx';
import type { MenuEntry } from '../../ui/menu-items.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import { useRetryNotification } from './notification-actions.ts';
import styles from './notification-columns.module.css';
import type { NotificationSearch } from './notification-search.ts';
import { NotificationStatusBadge } from './notification-values.tsx';

type Row = Read<ListedNotification>;

const NONE = '–';

const ATTENTION: ReadonlySet<string> = new Set(NOTIFICATION_SUBJECTS.attention);

/** What is of this type does not come right by itself. */
const needsLook = (type: string) => ATTENTION.has(type);

/** The columns of the list; `onDelete` gets the row whose menu asked for its deletion. */
export function notificationColumns(
  onDelete: (notification: ListedNotification) => void,
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
      cell: ({ notification_type: type }) => (
        <div className={styles.type}>
          {statusWords(type)}
          {needsLook(type) && (
            <span title="It does not come right by itself">
              <StatusBadge tone="warning">Look at it</StatusBadge>
            </span>
          )}
        </div>
      ),
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
      spare: true,
      cell: ({ opportunity_id: id }) => (id === null ? NONE : <CopiedId id={id} what="Opportunity ID" />),
    },
    {
      key: 'id',
      header: 'ID',
      sortBy: 'id',
      folds: true,
      spare: true,
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

/** What a row that stands for others is known by, whichever of them is the newest. */
export function foldKey({ notification_type: type, opportunity_id: id, message, folded }: ListedNotification) {
  return folded === undefined || folded.count === 1 ? null : `${type} ${id ?? message}`;
}

/** How many are behind a row, since when, and whether any of them could not be sent. */
function Behind({ of: row }: { of: ListedNotification }) {
  const { id, status, folded } = row;
  const key = foldKey(row);
  if (key === null || folded === undefined) return null;
  const failed = folded.failed - Number(status === 'failed');
  return (
    <UnfoldButton
      of={key}
      all={(count) => (
        <Link to="/notifications" search={{ like: id, each: true }}>
          All {formatCount(count + 1)}
        </Link>
      )}
    >
      {formatCount(folded.count - 1)} more like it since <LocalTime at={folded.first_at} to="clock" />
      {failed > 0 && `, ${formatCount(failed)} failed`}
    </UnfoldButton>
  );
}

/** What it is about on a line of its own, where the message begins with that. */
function Message({ of: row }: { of: ListedNotification }) {
  const { id, message, data } = row;
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
      <Behind of={row} />
    </span>
  );
}

type NotificationRowMenuProps = {
  notification: ListedNotification;
  onDelete: (notification: ListedNotification) => void;
};

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
  const count = notification.folded?.count ?? 1;
  entries.push({
    label: count === 1 ? 'Delete' : `Delete All ${formatCount(count)}`,
    icon: 'trash',
    tone: 'danger',
    onChoose: () => onDelete(notification),
    changes: true,
  });
  return <RowMenu of={shortId(id)} entries={entries} />;
}
