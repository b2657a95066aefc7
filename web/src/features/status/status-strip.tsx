import { PAPER_FILLS, type SystemStatus, VENUE_MODES } from '@dutchbook/contract/status.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useLink } from '../../live/live.ts';
import { Announcer } from '../../ui/announcer.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import styles from './status-strip.module.css';
import { type FeedState, feedStates, useSystemStatus } from './system-status.ts';

type VenueStatus = NonNullable<SystemStatus['venues']>[number];

/** What a trader must know at a glance: which venue, whether orders leave, how fresh the prices are. */
export function StatusStrip({ children }: { children: ReactNode }) {
  const status = useSystemStatus();
  const feeds = feedStates(useLink(), status);
  const venues = status?.venues ?? [];
  const isGood = ({ tone }: FeedState) => feeds.length > 1 && tone === 'success';
  const unknown = status?.unknown_orders ?? 0;
  const isPlain = status?.armed !== false && status?.automatic !== 'off';
  const crowded = unknown > 0 ? 'unknown' : isPlain ? undefined : 'controls';
  const areByVenue = feeds.length === venues.length;
  const cashOf = (place: number, named: boolean) => venues[place] && <VenueCash of={venues[place]} named={named} />;
  return (
    <div className={styles.strip} data-crowded={crowded}>
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
      {unknown > 0 && <StatusBadge tone="error">{unknownOrders(unknown)}</StatusBadge>}
      {feeds.every(isGood) && (
        <span className={styles.narrow} title={feeds[0]?.explanation}>
          <StatusBadge tone="success">All live</StatusBadge>
        </span>
      )}
      {feeds.map((feed, place) => (
        <Fragment key={feed.text}>
          <span title={feed.explanation} className={isGood(feed) ? styles.wide : undefined}>
            <StatusBadge tone={feed.tone}>{feed.text}</StatusBadge>
          </span>
          {areByVenue && cashOf(place, false)}
        </Fragment>
      ))}
      {!areByVenue && venues.map(({ venue }, place) => <Fragment key={venue}>{cashOf(place, true)}</Fragment>)}
      <Announcer text={`Prices: ${feeds.map(({ text }) => text).join(', ')}`} />
    </div>
  );
}

type VenueCashProps = {
  of: VenueStatus;
  /** No badge beside it names its venue. */
  named: boolean;
};

/** What is free to spend at one of several venues, and in its title what of it lies where. */
function VenueCash({ of: { venue, cash }, named }: VenueCashProps) {
  if (cash === undefined) return null;
  const parts = (cash.pockets ?? []).map(({ name, free_usd: free }) => `shard ${name} ${formatUsd(free)}`);
  const title = `Free at ${VENUE_LABELS[venue]}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
  return (
    <span className={styles.cash} title={title}>
      <span className={named ? undefined : styles.name}>{VENUE_LABELS[venue]} </span>
      {formatUsd(cash.free_usd)}
    </span>
  );
}

function unknownOrders(count: number): string {
  return count === 1 ? '1 order outcome unknown, checking' : `${count} order outcomes unknown, checking`;
}
