import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useLink } from '../../live/live.ts';
import { Icon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ArmButton } from '../arming/arming-control.tsx';
import { useApprovalProblems } from '../chain-steps/approval-problems.ts';
import { RedeemAllButtons } from '../chain-steps/conversion-buttons.tsx';
import { useEquity } from '../equity/equity-query.ts';
import { useHasChannel } from '../notifications/sending-status.ts';
import { currentUserQuery } from '../session/current-user.ts';
import { armedSentence } from '../status/armed-sentence.ts';
import { type FeedState, feedStates, useSystemStatus } from '../status/system-status.ts';
import styles from './attention.module.css';
import { FeeStopLine } from './fee-stop-line.tsx';
import { MissedToday } from './missed-today.tsx';
import { emptyPockets, isBad, isFoundByHand, type NeedKind, needsOf } from './needs.ts';
import { PlacingSwitch } from './placing-switch.tsx';
import { SignOffLines } from './sign-off-lines.tsx';
import { type Overview, useOverview } from './use-overview.ts';

const LINE_HEIGHT = 22;

/** What does not come right by itself, each with the way to where it is put right; and what paid and was not bought. */
export function Attention() {
  const { data, isError } = useOverview();
  const status = useSystemStatus();
  const redeemable = useEquity().data?.redeemable_usd;
  const hasChannel = useHasChannel();
  const approvals = useApprovalProblems();
  const { data: user } = useQuery(currentUserQuery);
  const feeds = feedStates(useLink(), status);
  if (data === undefined || status === undefined) return isError ? null : <Unknown />;
  const waiting = { ...data, fee_stops: data.fee_stops.length, redeemable: (redeemable ?? 0) > 0 };
  const needs = needsOf({ status, waiting, hasChannel, feeds, approvals: approvals?.length });
  const shown = {
    status,
    overview: data,
    redeemable: redeemable ?? USD_ZERO,
    feeds,
    approvals: approvals ?? [],
    isSuperuser: user?.is_superuser === true,
  };
  return (
    <Panel title="Needs You" {...(needs.length > 0 && { tone: 'warning' as const })}>
      {needs.length === 0 ? (
        <p className={styles.nothing}>
          {!data.missed_today.some(({ reason }) => isFoundByHand(reason)) && <Icon name="check" size={16} />}
          No order is unknown, every set is whole, and prices come in.
        </p>
      ) : (
        <ul className={styles.needs}>
          {needs.map(({ kind }) => (
            <Fragment key={kind}>{LINES[kind](shown)}</Fragment>
          ))}
        </ul>
      )}
      <MissedToday of={data.missed_today} />
    </Panel>
  );
}

type Shown = {
  status: SystemStatus;
  overview: Overview;
  redeemable: Usd;
  feeds: readonly FeedState[];
  approvals: readonly string[];
  isSuperuser: boolean;
};

/** The lines of each kind, with the way to where it is put right. */
const LINES: Record<NeedKind, (shown: Shown) => ReactNode> = {
  disarmed: ({ status, isSuperuser }) => (
    <li className={styles.line}>
      <span>{armedSentence(status)}</span>
      {isSuperuser && <ArmButton status={status} />}
    </li>
  ),
  by_hand: ({ isSuperuser }) => (
    <li className={styles.line}>
      <span>Nothing is bought automatically: what triggers waits for a person</span>
      {isSuperuser && <PlacingSwitch of="all" />}
    </li>
  ),
  sign_offs: ({ isSuperuser }) => <SignOffLines isSuperuser={isSuperuser} />,
  unknown: ({ status: { unknown_orders: unknown } }) => (
    <li>
      <Link to="/orders" search={{ unknown: true }}>
        {counted(unknown, 'order is', 'orders are')} unknown: the venue has not said whether it has them
      </Link>
    </li>
  ),
  unhedged: ({ overview: { unhedged_batches: unhedged, unhedged_usd } }) => (
    <li>
      <Link to="/batches" search={{ unhedged: true }}>
        {counted(unhedged, 'batch holds', 'batches hold')} shares without the rest of a set: {formatUsd(unhedged_usd)}{' '}
        lost at worst
      </Link>
    </li>
  ),
  redeem: ({ redeemable }) => (
    <li className={styles.line}>
      <span>{formatUsd(redeemable)} of resolved markets can be redeemed</span>
      <RedeemAllButtons />
    </li>
  ),
  cash: ({ status, isSuperuser }) =>
    emptyPockets(status).map(({ venue, name, free, elsewhere }) => (
      <li key={`${venue} ${name}`} className={styles.line}>
        <span>
          Shard {name} of {VENUE_LABELS[venue]} has {formatUsd(free)}, another {formatUsd(elsewhere)}: its markets are
          paid from it alone
        </span>
        {isSuperuser && (
          <Link to="/portfolio" search={{ cashTo: name }}>
            Move Cash
          </Link>
        )}
      </li>
    )),
  approvals: ({ approvals }) => (
    <li className={styles.line}>
      <span>
        {counted(approvals.length, 'approval is', 'approvals are')} not as {approvals.length === 1 ? 'it' : 'they'}{' '}
        should be: {approvals[0]}
      </span>
      <Link to="/approvals">Approvals</Link>
    </li>
  ),
  fee_stops: ({ overview }) => overview.fee_stops.map((stop) => <FeeStopLine key={stop.id} of={stop} />),
  failed: ({ overview: { failed_notifications: failed } }) => (
    <li>
      <Link to="/notifications" search={{ status: 'failed' }}>
        {counted(failed, 'notification', 'notifications')} failed: tried and not delivered
      </Link>
    </li>
  ),
  channel: () => (
    <li>
      <Link to="/notifications">Notifications are not sent: set up a channel to be told of leg risk and fills</Link>
    </li>
  ),
  feeds: ({ feeds }) =>
    feeds.filter(isBad).map(({ text, explanation }) => (
      <li key={text}>
        <Link to="/arbitrage">
          {text}: {explanation}
        </Link>
      </li>
    )),
  disk: () => <li>The disk of the data folder is full: what is done can soon not be stored</li>,
  log: ({ status }) => (
    <li>
      The log is not written ({status.log_failure?.reason}):{' '}
      {counted(status.log_failure?.dropped ?? 0, 'line is', 'lines are')} lost
    </li>
  ),
};

/** As high as where nothing needs the user, so that what stands below stays where it is. */
function Unknown() {
  return (
    <Panel title="Needs You">
      <Skeleton height={LINE_HEIGHT} />
    </Panel>
  );
}

const counted = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`;
