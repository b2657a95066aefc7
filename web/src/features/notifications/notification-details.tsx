import type { Notification } from '@dutchbook/contract/notifications.ts';
import { Button, Skeleton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isMissing } from '../../calls/api-error.ts';
import { LoadError } from '../../calls/loaded.tsx';
import { lastSearch } from '../../lists/list-search.ts';
import { Announcer } from '../../ui/announcer.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Changing } from '../../ui/changing.tsx';
import { CopiedId } from '../../ui/copyable.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { DetailColumns, Panel } from '../../ui/panel.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import { useRetryNotification } from './notification-actions.ts';
import { DeleteNotificationDialog } from './notification-delete-dialog.tsx';
import styles from './notification-details.module.css';
import { useNotification } from './notification-queries.ts';
import type { NotificationSearch } from './notification-search.ts';
import { ErrorMessage, NotificationStatusBadge } from './notification-values.tsx';

const TITLE = 'Notification Details';

/** One notification: what it says, and how far it came. */
export function NotificationDetails({ id }: { id: string }) {
  const { notification, deleted, ...read } = useNotification(id);
  if (deleted) return <Gone />;
  return (
    <>
      <PageHeader
        title={TITLE}
        back={<BackToList />}
        badges={notification && <NotificationStatusBadge of={notification} />}
        actions={notification && <Actions notification={notification} />}
      />
      <LoadError of={read} text="Error loading notification details" />
      {notification === undefined && isMissing(read.error) && (
        <EmptyState icon="bell" text="There is no such notification.">
          <BackToList />
        </EmptyState>
      )}
      {notification && <Sections notification={notification} />}
      {notification === undefined && read.error === null && <Loading />}
    </>
  );
}

function Sections({ notification }: { notification: Notification }) {
  const { message, error_message, data, status } = notification;
  return (
    <div className="stack">
      <Announcer text={`Notification ${statusWords(status)}`} />
      <BasicInformation of={notification} />
      <Panel title="Message">
        <p className={styles.text}>{message}</p>
      </Panel>
      {error_message !== null && error_message !== '' && (
        <Panel title="Error Message" tone={status === 'pending' ? 'warning' : 'error'}>
          <p className={styles.text}>
            <ErrorMessage text={error_message} />
          </p>
        </Panel>
      )}
      {Object.keys(data).length > 0 && (
        <Panel title="Additional Data">
          <pre className={styles.data}>{JSON.stringify(data, null, 2)}</pre>
        </Panel>
      )}
    </div>
  );
}

function BasicInformation({ of: notification }: { of: Notification }) {
  return (
    <Panel title="Basic Information">
      <DetailColumns left={identityOf(notification)} right={courseOf(notification)} />
    </Panel>
  );
}

function identityOf(notification: Notification) {
  const { id, opportunity_id, notification_type, attempts, data } = notification;
  const { submission_id: submissionId } = data;
  const submission = typeof submissionId === 'string' && [
    {
      name: 'Submission',
      value: (
        <Link to="/submissions/$submissionId" params={{ submissionId }} className="mono">
          {submissionId}
        </Link>
      ),
    },
  ];
  const signOff = typeof data.sign_off_id === 'string' && [
    {
      name: 'Sign-off',
      value: (
        <Link to="/admin/sign-offs" hash={data.sign_off_id} className="mono">
          {data.sign_off_id}
        </Link>
      ),
    },
  ];
  const opportunity = opportunity_id !== null && [
    {
      name: 'Opportunity ID',
      value: (
        <Link to="/arbitrage/$opportunityId" params={{ opportunityId: opportunity_id }} className="mono">
          {opportunity_id}
        </Link>
      ),
    },
  ];
  return [
    {
      name: 'ID',
      value: <CopiedId id={id} what="Notification ID" whole />,
    },
    ...(opportunity || []),
    ...(submission || []),
    ...(signOff || []),
    { name: 'Type', value: statusWords(notification_type) },
    { name: 'Attempts', value: attempts },
  ];
}

function courseOf(notification: Notification) {
  const { created_at, updated_at, sent_at } = notification;
  return [
    { name: 'Status', value: <NotificationStatusBadge of={notification} /> },
    { name: 'Created At', value: <Moment at={created_at} /> },
    { name: 'Updated At', value: <Moment at={updated_at} /> },
    { name: 'Sent At', value: sent_at === null ? 'Not sent' : <Moment at={sent_at} /> },
  ];
}

function Actions({ notification }: { notification: Notification }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const retry = useRetryNotification();
  return (
    <>
      <Changing>
        {notification.status === 'failed' && (
          <Button
            leftSection={<Icon name="refresh" />}
            loading={retry.isPending}
            onClick={() => retry.start(notification.id)}
          >
            Retry Send
          </Button>
        )}
        <Button
          variant="default"
          c="var(--error-ink)"
          leftSection={<Icon name="trash" />}
          onClick={() => setAsking(true)}
        >
          Delete
        </Button>
      </Changing>
      <DeleteNotificationDialog
        opened={asking}
        notification={notification}
        onDeleted={() =>
          void navigate({ to: '/notifications', search: lastSearch<NotificationSearch>('notifications') })
        }
        onClose={() => setAsking(false)}
      />
    </>
  );
}

function BackToList() {
  return (
    <BackLink to="/notifications" search={lastSearch<NotificationSearch>('notifications')}>
      Back to List
    </BackLink>
  );
}

function Gone() {
  return (
    <>
      <PageHeader title={TITLE} />
      <EmptyState icon="bell" text="This notification has been deleted.">
        <BackToList />
      </EmptyState>
    </>
  );
}

function Loading() {
  return (
    <div className="stack" role="status" aria-label="Loading">
      <Skeleton height={190} />
      <Skeleton height={90} />
    </div>
  );
}
