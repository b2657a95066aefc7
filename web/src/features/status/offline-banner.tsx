import { useEffect, useState } from 'react';
import { useLink } from '../../live/live.ts';
import { clockWords } from '../../ui/date-format.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './offline-banner.module.css';
import { useSystemStatus } from './system-status.ts';

/** A connection that is back before this was hardly gone. */
const PATIENCE_MS = 1_500;

/** Marks on the page that its figures are not of now: they are grey. */
const OLD = 'data-old';

/** Says that what is on screen may be old, until the server and its database answer and everything has been read again. */
export function OfflineBanner() {
  const isOffline = useLasting(useLink() === 'offline');
  const status = useSystemStatus();
  const silentSeconds = status?.database_away ? (status.database_silent_s ?? 0) : undefined;
  const isOld = isOffline || silentSeconds !== undefined;
  const asOf = useAsOf(isOld, isOffline ? PATIENCE_MS : (silentSeconds ?? 0) * 1000);
  useEffect(() => {
    document.documentElement.toggleAttribute(OLD, isOld);
    return () => document.documentElement.removeAttribute(OLD);
  }, [isOld]);
  return (
    <>
      {/* Read out once: its seconds change. */}
      <div role="status" className="visually-hidden">
        {!isOffline && silentSeconds !== undefined && 'The database does not answer. No order is placed meanwhile.'}
      </div>
      <div
        {...(isOffline || !isOld ? { role: 'status' } : { role: 'region', 'aria-label': 'Outage' })}
        className={styles.place}
      >
        {isOld && (
          <p className={styles.banner}>
            <Icon name="alert" size={16} />
            <span>
              {isOffline
                ? 'No connection to the server: what you see may be out of date. Reconnecting automatically; batches go on without this page.'
                : `The database has not answered for ${silentSeconds} s. No order is placed meanwhile.`}{' '}
              Figures in grey are as of {asOf} at the latest.
            </span>
          </p>
        )}
      </div>
    </>
  );
}

/** The moment before which everything that is shown was read. */
function useAsOf(isOld: boolean, oldForMs: number): string | undefined {
  const [since, setSince] = useState<number>();
  if (isOld && since === undefined) setSince(Date.now() - oldForMs);
  if (!isOld && since !== undefined) setSince(undefined);
  return since === undefined ? undefined : clockWords(since);
}

function useLasting(now: boolean): boolean {
  const [lasted, setLasted] = useState(false);
  useEffect(() => {
    if (!now) return;
    const timer = setTimeout(() => setLasted(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLasted(false);
    };
  }, [now]);
  return lasted;
}
