import type { Approval } from '@dutchbook/contract/approvals.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { LoadError } from '../../calls/loaded.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, Note } from '../../ui/states.tsx';
import { StatusBadge, statusWords } from '../../ui/status-badge.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import { type ApprovalRow, useApprovals, useChangeApproval } from './approval-queries.ts';
import { changeOf, PURPOSE_MEANING } from './approval-words.ts';
import styles from './chain-steps.module.css';
import { shortHash } from './chain-words.ts';
import { Hash } from './submission-values.tsx';

/** What the venue's contracts may move of the account's dollars and shares; superusers change it. */
export function ApprovalsPage() {
  const read = useApprovals();
  const { data, error } = read;
  return (
    <>
      <PageHeader title="Approvals" back={<BackLink to="/submissions">Submissions</BackLink>} />
      <LoadError of={read} text="Error loading approvals" inline />
      {data === undefined && error === null && <Skeleton height={240} role="status" aria-label="Loading" />}
      {data !== undefined && <Shown approvals={data} />}
    </>
  );
}

function Shown({ approvals }: { approvals: readonly ApprovalRow[] }) {
  const { data: user } = useQuery(currentUserQuery);
  const problems = approvals.filter(({ problem }) => problem !== null).length;
  if (approvals.length === 0)
    return (
      <EmptyState
        icon="admin"
        text="Nothing has to be allowed."
        hint="Shares are not converted into dollars on this venue, so none of its contracts asks to move anything."
      />
    );
  return (
    <div className="stack">
      <p className="hint">
        The venue’s contracts move dollars and shares of the account only where it has allowed them to. Each change is a
        submission to the chain.
      </p>
      {problems > 0 && (
        <Note
          tone="warning"
          title={
            problems === 1 ? 'One approval is not as it should be.' : `${problems} approvals are not as they should be.`
          }
        />
      )}
      <DataTable
        label="Approvals"
        columns={[
          ...(new Set(approvals.map(({ venue }) => venue)).size > 1 ? [VENUE] : []),
          ...COLUMNS,
          ...(user?.is_superuser === true ? [ACTION] : []),
        ]}
        rows={approvals}
      />
    </div>
  );
}

/** Where several have contracts. */
const VENUE: Column<ApprovalRow> = { key: 'venue', header: 'Venue', cell: ({ venue }) => VENUE_LABELS[venue] };

const COLUMNS: readonly Column<ApprovalRow>[] = [
  {
    key: 'contract',
    header: 'Contract',
    wide: true,
    cell: ({ name, contract, purpose }) => (
      <span className={styles.what}>
        <strong>{statusWords(name)}</strong>
        <span className="hint">{PURPOSE_MEANING[purpose]}</span>
        <span>
          <Hash hash={contract} what="Address" />
        </span>
      </span>
    ),
  },
  {
    key: 'moves',
    header: 'May Move',
    cell: ({ asset, holder }) => (
      <span className="lines">
        {asset === 'cash' ? 'Dollars' : 'Shares'}
        <span className={`hint ${styles.holder}`} title={holder}>
          kept by {shortHash(holder)}
        </span>
      </span>
    ),
  },
  { key: 'state', header: 'State', cell: (row) => <State of={row} /> },
  {
    key: 'problem',
    header: 'Problem',
    wide: true,
    cell: ({ problem }) => (problem === null ? 'None' : <span className={styles.problem}>{problem}</span>),
  },
  {
    key: 'changing',
    header: 'Changing Now',
    cell: ({ submission_id }) =>
      submission_id === null ? (
        '–'
      ) : (
        <Link to="/submissions/$submissionId" params={{ submissionId: submission_id }}>
          Its submission
        </Link>
      ),
  },
];

function State({ of: { is_allowed, limit_usd, purpose } }: { of: Approval }) {
  return (
    <span className="lines">
      <span className="row">
        <StatusBadge tone={is_allowed ? (purpose === 'retired' ? 'warning' : 'success') : 'inactive'}>
          {is_allowed ? 'Allowed' : 'Not allowed'}
        </StatusBadge>
        {purpose === 'retired' && <StatusBadge tone="pending">Retired</StatusBadge>}
      </span>
      {limit_usd !== null && <span className="hint">{formatUsd(limit_usd)} left of it</span>}
    </span>
  );
}

const ACTION: Column<ApprovalRow> = {
  key: 'actions',
  header: 'Actions',
  align: 'end',
  cell: (row) => <ChangeButton of={row} />,
};

/** Allows it or revokes it, once that has been confirmed; nothing while it is being changed, or where it is retired and revoked. */
function ChangeButton({ of: approval }: { of: ApprovalRow }) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const { start, isPending } = useChangeApproval(close);
  const change = changeOf(approval);
  return (
    <>
      {change !== undefined && approval.submission_id === null && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${change.action} ${approval.name}, ${approval.asset === 'cash' ? 'dollars' : 'shares'}`}
          onClick={() => setAsking(true)}
        >
          {change.action}
        </Button>
      )}
      {change !== undefined && (
        <ConfirmDialog
          opened={asking}
          title={`${change.action} ${approval.name}`}
          confirm={change.action}
          onConfirm={() =>
            start({
              contract: approval.contract,
              holder: approval.holder,
              is_allowed: change.is_allowed,
              venue: approval.venue,
            })
          }
          pending={isPending}
          onClose={close}
        >
          <p>{change.question}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
