import { modeOf, type SystemStatus } from '@dutchbook/contract/status.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLink } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ArmButton } from '../arming/arming-control.tsx';
import { RedeemAllButtons } from '../chain-steps/conversion-buttons.tsx';
import { useEquity } from '../equity/equity-query.ts';
import { useHasChannel } from '../notifications/sending-status.ts';
import { currentUserQuery } from '../session/current-user.ts';
import { armedSentence } from '../status/armed-sentence.ts';
import { type FeedState, feedStates, useSystemStatus } from '../status/system-status.ts';
import styles from './attention.module.css';
import { FeeStopLine } from './fee-stop-line.tsx';
import { MissedToday } from './missed-today.tsx';
import { SignOffLines } from './sign-off-lines.tsx';
import { type Overview, useOverview } from './use-overview.ts';

const LINE_HEIGHT = 22;

/** What does not come right by itself, each with the way to where it is put right; and what paid and was not bought. */
export function Attention() {
  const { data, isError } = useOverview();
  const status = useSystemStatus();
  const redeemable = useEquity().data?.redeemable_usd;
  const hasChannel = useHasChannel();
  const { data: user } = useQuery(currentUserQuery);
  const feeds = feedStates(useLink(), status);
  if (data === undefined || status === undefined) return isError ? null : <Unknown />;
  const needs = [
    ...tradingNeeds(status, user?.is_superuser === true),
    ...moneyNeeds(data, redeemable),
    ...data.fee_stops.map((stop) => <FeeStopLine key={stop.id} of={stop} />),
    ...notificationNeeds(data, hasChannel === false && modeOf(status.venue).world !== 'simulated'),
    ...feedNeeds(feeds),
    ...storageNeeds(status),
  ];
  return (
    <Panel title="Needs You" {...(needs.length > 0 && { tone: 'warning' as const })}>
      {needs.length === 0 ? (
        <p className={styles.nothing}>
          <Icon name="check" size={16} /> Nothing: no order is unknown, every set is whole, and prices come in.
        </p>
      ) : (
        <ul className={styles.needs}>{needs}</ul>
      )}
      <MissedToday of={data.missed_today} />
    </Panel>
  );
}

/** Trading that is off, what waits for a second person, and orders of which the venue has said nothing. */
function tradingNeeds(status: SystemStatus, isSuperuser: boolean): ReactNode[] {
  const needs: ReactNode[] = [];
  if (!status.armed && modeOf(status.venue).isReadOnly !== true)
    needs.push(
      <li key="disarmed" className={styles.line}>
        <span>{armedSentence(status)}</span>
        {isSuperuser && <ArmButton status={status} />}
      </li>,
    );
  if ((status.open_sign_offs ?? 0) > 0) needs.push(<SignOffLines key="sign-offs" isSuperuser={isSuperuser} />);
  if (status.unknown_orders > 0)
    needs.push(
      <li key="unknown">
        <Link to="/orders" search={{ unknown: true }}>
          {counted(status.unknown_orders, 'order is', 'orders are')} unknown: the venue has not said whether it has them
        </Link>
      </li>,
    );
  return needs;
}

function moneyNeeds({ unhedged_batches: unhedged, unhedged_usd }: Overview, redeemable: Usd | undefined): ReactNode[] {
  const needs: ReactNode[] = [];
  if (unhedged > 0)
    needs.push(
      <li key="unhedged">
        <Link to="/batches" search={{ unhedged: true }}>
          {counted(unhedged, 'batch holds', 'batches hold')} shares without the rest of a set: {formatUsd(unhedged_usd)}{' '}
          lost at worst
        </Link>
      </li>,
    );
  if (redeemable !== undefined && redeemable > 0)
    needs.push(
      <li key="redeem" className={styles.line}>
        <span>{formatUsd(redeemable)} of resolved markets can be redeemed</span>
        <RedeemAllButtons />
      </li>,
    );
  return needs;
}

function notificationNeeds({ failed_notifications: failed }: Overview, reachNobody: boolean): ReactNode[] {
  const needs: ReactNode[] = [];
  if (failed > 0)
    needs.push(
      <li key="failed">
        <Link to="/notifications" search={{ status: 'failed' }}>
          {counted(failed, 'notification has', 'notifications have')} reached no one
        </Link>
      </li>,
    );
  if (reachNobody)
    needs.push(
      <li key="channel">
        <Link to="/notifications">Notifications leave by no channel: set one up to be told of leg risk and fills</Link>
      </li>,
    );
  return needs;
}

function feedNeeds(feeds: readonly FeedState[]): ReactNode[] {
  return feeds
    .filter(({ tone }) => tone === 'error' || tone === 'warning')
    .map(({ text, explanation }) => (
      <li key={text}>
        <Link to="/arbitrage">
          {text}: {explanation}
        </Link>
      </li>
    ));
}

function storageNeeds(status: SystemStatus): ReactNode[] {
  const needs: ReactNode[] = [];
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
  return needs;
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
