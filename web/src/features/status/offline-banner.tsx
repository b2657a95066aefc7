import { useEffect, useState } from 'react';
import { useLink } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './offline-banner.module.css';

/** A connection that is back before this was hardly gone. */
const PATIENCE_MS = 1_500;

/** Says that what is on screen may be old, until the connection is back and everything has been read again. */
export function OfflineBanner() {
  const isOffline = useLasting(useLink() === 'offline');
  return (
    <div role="status" className={styles.place}>
      {isOffline && (
        <p className={styles.banner}>
          <Icon name="alert" size={16} />
          No connection to the server: what you see may be out of date. Reconnecting automatically; batches go on
          without this page.
        </p>
      )}
    </div>
  );
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
