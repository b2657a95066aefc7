import { PAPER_FILLS, VENUE_MODES } from '@dutchbook/contract/status.ts';
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLink } from '../../live/live.ts';
import { Announcer } from '../../ui/announcer.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import styles from './status-strip.module.css';
import { type FeedState, feedStates, useSystemStatus } from './system-status.ts';

/** What everybody on the desk must know at a glance: which venue, whether orders leave, how fresh the prices are. */
export function StatusStrip({ children }: { children: ReactNode }) {
  const status = useSystemStatus();
  const feeds = feedStates(useLink(), status);
  const isGood = ({ tone }: FeedState) => feeds.length > 1 && tone === 'success';
  return (
    <div className={styles.strip}>
      {status === undefined ? (
        <Skeleton width={130} height={20} />
      ) : (
        <span
          className={styles.venue}
          data-venue={status.venue}
          title={status.paper && `Orders are filled by ${PAPER_FILLS[status.paper.fills]}.`}
        >
          {VENUE_MODES[status.venue].label}
          {status.paper && <span className={styles.model}>, {status.paper.fills} fills</span>}
        </span>
      )}
      {children}
      {status !== undefined && status.unknown_orders > 0 && (
        <StatusBadge tone="error">{unknownOrders(status.unknown_orders)}</StatusBadge>
      )}
      {feeds.every(isGood) && (
        <span className={styles.narrow} title={feeds[0]?.explanation}>
          <StatusBadge tone="success">All live</StatusBadge>
        </span>
      )}
      {feeds.map((feed) => (
        <span key={feed.text} title={feed.explanation} className={isGood(feed) ? styles.wide : undefined}>
          <StatusBadge tone={feed.tone}>{feed.text}</StatusBadge>
        </span>
      ))}
      <Announcer text={`Prices: ${feeds.map(({ text }) => text).join(', ')}`} />
    </div>
  );
}

function unknownOrders(count: number): string {
  return count === 1 ? '1 order outcome unknown, checking' : `${count} order outcomes unknown, checking`;
}
