/** The cells of a row that stands for all batches of an opportunity. */
import type { ListedBatch } from '@dutchbook/contract/batches.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { UnfoldButton } from '../../lists/live-table.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Beneath } from '../../ui/panel.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import styles from './batch-columns.module.css';
import { ActualProfit, BATCH_TONE } from './batch-values.tsx';

type Sums = NonNullable<ListedBatch['folded']>;

/** A row that stands for others beside its batch. */
export function isSum(row: ListedBatch): row is ListedBatch & { folded: Sums } {
  return row.folded !== undefined && row.folded.count > 1;
}

type Summed = ListedBatch & { newestId?: string };

/** A row of sums under its opportunity's id, so that it stays one row while batches come. */
export function ofOpportunity(row: ListedBatch): Summed {
  return { ...row, id: row.opportunity_id, newestId: row.id };
}

/** The batch of a row, or the newest of those that it stands for. */
export function newestIdOf({ id, newestId = id }: Summed): string {
  return newestId;
}

type OfSums = { of: ListedBatch & { folded: Sums } };

/** How many they are, since when, and what they cost. */
export function BatchesBehind({ of: { id, opportunity_id: opportunityId, folded } }: OfSums) {
  const { count, simulated, cost_usd: cost } = folded;
  return (
    <span className={styles.behind}>
      <UnfoldButton
        of={id}
        all={(all) => (
          <Link to="/batches" search={{ opportunityId, each: true }}>
            All {formatCount(all)}
          </Link>
        )}
      >
        {formatCount(count)} batches since <LocalTime at={folded.first_at} to="clock" />
      </UnfoldButton>
      {simulated < count && <span>cost {formatUsd(cost)}</span>}
      {simulated > 0 && <span>{simulated === count ? 'all simulated' : `${formatCount(simulated)} simulated`}</span>}
    </span>
  );
}

export function StatusCounts({ of: { folded } }: OfSums) {
  return (
    <span className={`${styles.state} ${styles.counts}`}>
      {folded.statuses.map(({ status, count }) => (
        <StatusBadge key={status} tone={BATCH_TONE[status]}>
          {`${formatCount(count)} ${statusWords(status)}`}
        </StatusBadge>
      ))}
    </span>
  );
}

/** What they made, and how much of it is paid, is locked in whole sets, or is lost at worst. */
export function SummedProfit({ of: { folded } }: OfSums) {
  const { actual_profit_usd: actual, paid_usd: paid, locked_usd: locked, at_risk_usd: atRisk } = folded;
  const parts = (
    [
      ['paid', paid],
      ['locked', locked],
      ['at risk', atRisk],
    ] as const
  ).map(([word, usd]) => ({ word, usd, text: formatUsd(Math.abs(usd) as Usd) }));
  return (
    <>
      <ActualProfit of={folded} />
      {parts
        .filter(({ usd }) => usd !== 0)
        .map(({ word, usd, text }) => (
          <Beneath key={word}>{usd === actual ? word : `${usd < 0 ? '-' : ''}${text} ${word}`}</Beneath>
        ))}
    </>
  );
}

export function SumsMenu({ of: { name, opportunity_id: opportunityId } }: OfSums): ReactNode {
  return (
    <RowMenu
      of={name ?? opportunityId}
      entries={[
        {
          label: 'View Opportunity',
          icon: 'eye',
          link: (props) => (
            <Link to="/arbitrage/$opportunityId" params={{ opportunityId }} preload={false} {...props} />
          ),
        },
        {
          label: 'Single Batches',
          icon: 'batches',
          link: (props) => <Link to="/batches" search={{ opportunityId, each: true }} preload={false} {...props} />,
        },
      ]}
    />
  );
}
