import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { testNotifications } from '@dutchbook/contract/notification-sending.ts';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { LoadError } from '../../calls/loaded.tsx';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { Panel } from '../../ui/panel.tsx';
import { useNotification } from './notification-queries.ts';
import { ErrorMessage, NotificationStatusBadge } from './notification-values.tsx';
import { PaceForm } from './pace-form.tsx';
import styles from './sending-card.module.css';
import { sendingStatusQuery } from './sending-status.ts';
import { TelegramForm, telegramQuery } from './telegram-form.tsx';

/** How notifications reach people who are not looking at this screen; for superusers. */
export function SendingCard() {
  const telegram = useQuery(telegramQuery);
  const status = useQuery(sendingStatusQuery);
  const error = telegram.error ?? status.error;
  const both = {
    error,
    isFetching: telegram.isFetching || status.isFetching,
    refetch: () => Promise.all([telegram.refetch(), status.refetch()]),
  };
  return (
    <Panel title="Notifications by Telegram">
      <LoadError of={both} text="Error loading how notifications are sent" />
      {telegram.data !== undefined && status.data !== undefined ? (
        <>
          <TelegramForm saved={telegram.data} />
          <PaceForm saved={status.data} />
          <TestMessage canArrive={telegram.data.configured && telegram.data.enabled && status.data.enabled} />
        </>
      ) : (
        error === null && <Skeleton height={320} />
      )}
    </Panel>
  );
}

function TestMessage({ canArrive }: { canArrive: boolean }) {
  const test = useTestMessage();
  return (
    <div className={styles.test}>
      <Button variant="default" disabled={!canArrive} loading={test.isPending} onClick={() => test.start()}>
        Send Test Message
      </Button>
      <div role="status">{test.sentId !== undefined && <Outcome id={test.sentId} />}</div>
    </div>
  );
}

function Outcome({ id }: { id: string }) {
  const { notification } = useNotification(id);
  if (notification === undefined) return null;
  return (
    <p className="row">
      <NotificationStatusBadge of={notification} />
      <Link to="/notifications/$notificationId" params={{ notificationId: id }}>
        <ErrorMessage text={notification.error_message ?? 'Test message'} />
      </Link>
    </p>
  );
}

function useTestMessage() {
  const [sentId, setSentId] = useState<string>();
  const mutation = useSingleMutation({
    mutationFn: () => call(testNotifications, { body: {} }),
    onSuccess: ({ id }) => setSentId(id),
    meta: { failure: 'Failed to send the test message' },
  });
  return { ...mutation, sentId };
}
