import { formatCount } from '@dutchbook/units/count.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLink } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { feedStates, useSystemStatus } from '../status/system-status.ts';
import styles from './attention.module.css';
import { FeeStopLine } from './fee-stop-line.tsx';
import { useOverview } from './use-overview.ts';

const LINE_HEIGHT = 22;

/** What does not come right by itself, each with the way to where it is put right. */
export function Attention() {
  const { data, isError } = useOverview();
  const status = useSystemStatus();
  const feeds = feedStates(useLink(), status);
  if (data === undefined || status === undefined) return isError ? null : <Unknown />;
  const { unhedged_batches: unhedged, failed_notifications: failed } = data;
  const needs: ReactNode[] = [];
  if (status.unknown_orders > 0)
    needs.push(
      <li key="unknown">
        <Link to="/orders" search={{ unknown: true }}>
          {counted(status.unknown_orders, 'order is', 'orders are')} unknown: the venue has not said whether it has them
        </Link>
      </li>,
    );
  if (unhedged > 0)
    needs.push(
      <li key="unhedged">
        <Link to="/batches" search={{ unhedged: true }}>
          {counted(unhedged, 'batch holds', 'batches hold')} shares without the rest of a set:{' '}
          {formatUsd(data.unhedged_usd)} lost at worst
        </Link>
      </li>,
    );
  for (const stop of data.fee_stops) needs.push(<FeeStopLine key={stop.id} of={stop} />);
  if (failed > 0)
    needs.push(
      <li key="failed">
        <Link to="/notifications" search={{ status: 'failed' }}>
          {counted(failed, 'notification has', 'notifications have')} reached no one
        </Link>
      </li>,
    );
  for (const feed of feeds.filter(({ tone }) => tone === 'error' || tone === 'warning'))
    needs.push(
      <li key={feed.text}>
        <Link to="/arbitrage">
          {feed.text}: {feed.explanation}
        </Link>
      </li>,
    );
  if (status.disk_full)
    needs.push(<li key="disk">The disk of the data folder is full: what is done can soon not be stored</li>);
  if (status.log_failure !== undefined) {
    const { reason, dropped } = status.log_failure;
    needs.push(
      <li key="log">
        The log is not written ({reason}): {counted(dropped, 'line is', 'lines are')} lost
      </li>,
    );
  }
  return (
    <Panel title="Needs You" {...(needs.length > 0 && { tone: 'warning' as const })}>
      {needs.length === 0 ? (
        <p className={styles.nothing}>
          <Icon name="check" size={16} /> Nothing: no order is unknown, every set is whole, and prices come in.
        </p>
      ) : (
        <ul className={styles.needs}>{needs}</ul>
      )}
    </Panel>
  );
}

/** As high as where nothing needs anybody, so that what stands below stays where it is. */
function Unknown() {
  return (
    <Panel title="Needs You">
      <Skeleton height={LINE_HEIGHT} />
    </Panel>
  );
}

const counted = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`;
