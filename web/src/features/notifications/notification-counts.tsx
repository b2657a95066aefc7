import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useReadSoon } from '../../live/read-soon.ts';
import styles from '../../ui/menu-count.module.css';
import { isOfNotifications, notificationStatsQuery, useHasChannel } from './sending-status.ts';

/** The two of them have to fit beside the entry they belong to. */
const SHOWN_MAX = 99;

/** How many notifications wait to be sent, where they can be, and how many could not be, live; nothing where there are none. */
export function NotificationCounts() {
  const client = useQueryClient();
  const readAgain = useCallback(
    () => void client.invalidateQueries({ queryKey: notificationStatsQuery.queryKey }),
    [client],
  );
  useReadSoon(isOfNotifications, readAgain);
  const { data } = useQuery(notificationStatsQuery);
  const hasChannel = useHasChannel();
  if (data === undefined) return null;
  return (
    <span className={styles.place}>
      {hasChannel !== false && <Count of={data.pending_count} kind="pending" />}
      <Count of={data.failed_count} kind="failed" />
    </span>
  );
}

function Count({ of: count, kind }: { of: number; kind: 'pending' | 'failed' }) {
  if (count === 0) return null;
  return (
    <span className={styles.count} data-kind={kind} title={`${count} ${kind}`}>
      {count > SHOWN_MAX ? `${SHOWN_MAX}+` : count}
      <span className="visually-hidden"> {kind}</span>
    </span>
  );
}
