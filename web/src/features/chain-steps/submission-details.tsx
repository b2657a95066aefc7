import type { ChainStep, ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { formatUsd, subtractUsd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../../calls/api-error.ts';
import { LoadError } from '../../calls/loaded.tsx';
import { lastSearch } from '../../lists/list-search.ts';
import type { Read } from '../../live/fresher.ts';
import { Announcer } from '../../ui/announcer.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { shortId } from '../../ui/copyable.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { DetailColumns, Details, Panel } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
import { EmptyState, Note } from '../../ui/states.tsx';
import { type BalanceRow, balanceRows, exactly } from './balance-rows.ts';
import styles from './chain-steps.module.css';
import { callWords, gasWords, STATUS_WORDS, submissionWords } from './chain-words.ts';
import { useLatestSubmission, useSubmission } from './submission-queries.ts';
import type { SubmissionSearch } from './submission-search.ts';
import { AskedBy, Batches, Hash, SubmissionStatus, Tokens } from './submission-values.tsx';

/** One submission with its evidence: what was called, what the chain says of it, and what the account had before and after. */
export function SubmissionDetails({ id }: { id: string }) {
  const read = useSubmission(id);
  const { data, error } = read;
  if (data !== undefined)
    return <Live read={data} error={<LoadError of={read} text="Error loading submission" inline />} />;
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <>
      <PageHeader title="Submission" back={<BackToSubmissions />} />
      {!isMissing && <LoadError of={read} text="Error loading submission" inline />}
      {isMissing && (
        <EmptyState icon="upload" text="Submission not found">
          <BackToSubmissions />
        </EmptyState>
      )}
      {error === null && <Skeleton height={240} role="status" aria-label="Loading" />}
    </>
  );
}

function Live({ read, error }: { read: Read<ChainSubmission>; error: ReactNode }) {
  const submission = useLatestSubmission(read);
  const { id, status, steps, by_venue, balances_before, balances_after } = submission;
  const words = submissionWords(submission);
  return (
    <>
      <PageHeader
        title={`${words} ${shortId(id)}`}
        back={<BackToSubmissions />}
        badges={<SubmissionStatus of={submission} />}
      />
      {error}
      <div className="stack">
        <Announcer text={`${words}: ${STATUS_WORDS[status].text}`} />
        <Trouble of={submission} />
        <Panel title="Result">
          <DetailColumns left={moneyOf(submission)} right={chainFactsOf(submission)} />
        </Panel>
        <Panel title={stepsTitle(submission)}>
          <DataTable label="Calls" columns={by_venue ? PAYMENTS : CALLS} rows={steps} />
        </Panel>
        <div className="pair">
          <Panel title="Balances">
            {balances_before === null && balances_after === null ? (
              <p className="hint">Not read yet.</p>
            ) : (
              <DataTable label="Balances" columns={BALANCES} rows={balanceRows(balances_before, balances_after)} />
            )}
          </Panel>
          <Panel title="Times">
            <Details details={timesOf(submission)} />
          </Panel>
        </div>
      </div>
    </>
  );
}

function stepsTitle({ steps, by_venue }: ChainSubmission): string {
  if (by_venue) return 'What the Venue Did';
  return steps.length === 1 ? 'Call' : `${steps.length} Calls, Carried Out Together`;
}

function Trouble({ of: { error, status } }: { of: ChainSubmission }) {
  if (error === null) return null;
  return <Note tone={status === 'failed' ? 'error' : 'warning'} title={error} />;
}

function moneyOf(submission: ChainSubmission) {
  const { expected_usd, received_usd } = submission;
  const difference = received_usd === null ? null : subtractUsd(received_usd, expected_usd);
  return [
    { name: 'Asked by', value: <AskedBy of={submission} /> },
    { name: 'Batches', value: <Batches of={submission} /> },
    { name: 'Expected', value: exactly(expected_usd, 'dollars') },
    { name: 'Received', value: exactly(received_usd, 'dollars') },
    {
      name: 'Difference',
      value: difference === null ? '–' : <Signed value={difference}>{exactly(difference, 'dollars')}</Signed>,
    },
  ];
}

function chainFactsOf({ hash, block, nonce, deadline, gas, highest_gas }: ChainSubmission) {
  return [
    { name: 'Transaction', value: <Hash hash={hash} /> },
    { name: 'Block', value: block ?? '–' },
    { name: 'Nonce', value: nonce ?? '–' },
    { name: 'Deadline', value: deadline === null ? '–' : <LocalTime at={deadline} /> },
    {
      name: 'Gas',
      value:
        [gas && gasWords(gas), highest_gas && `at most ${gasWords(highest_gas)}`].filter(Boolean).join(', ') || '–',
    },
  ];
}

function timesOf({ created_at, sent_at, given_up_at, mined_at, ended_at, booked_at }: ChainSubmission) {
  const times = [
    ['Planned', created_at],
    ['Sent', sent_at],
    ...(given_up_at === null ? [] : [['Given up', given_up_at] as const]),
    ['Mined', mined_at],
    ['Ended', ended_at],
    ['In the books', booked_at],
  ] as const;
  return times.map(([name, at]) => ({ name, value: at === null ? '–' : <LocalTime at={at} /> }));
}

const columnsOf = (header: string, byVenue: boolean): readonly Column<ChainStep>[] => [
  { key: 'call', header, wide: true, cell: (step) => <Call of={step} byVenue={byVenue} /> },
  { key: 'expected', header: 'Brings', align: 'end', cell: ({ expected_usd }) => formatUsd(expected_usd) },
  { key: 'out', header: 'Gives', cell: ({ tokens_out }) => <Tokens of={tokens_out} /> },
  { key: 'in', header: 'Hands Out', cell: ({ tokens_in }) => <Tokens of={tokens_in} /> },
];

const CALLS = columnsOf('Call', false);
const PAYMENTS = columnsOf('Paid', true);

function Call({ of: step, byVenue }: { of: ChainStep; byVenue: boolean }) {
  const { contract, holder, market_names } = step;
  return (
    <span className={styles.call}>
      {callWords(step, byVenue)}
      {market_names.length > 1 && (
        <ul className={styles.markets}>
          {market_names.map((name, nth) => (
            <li key={step.market_ids[nth]}>{name}</li>
          ))}
        </ul>
      )}
      {contract !== null && <Hash hash={contract} what="Address" />}
      {holder !== null && <Hash hash={holder} what="Address" />}
    </span>
  );
}

const unitOf = ({ tokenId }: BalanceRow) => (tokenId === null ? 'dollars' : 'shares');

const BALANCES: readonly Column<BalanceRow>[] = [
  {
    key: 'what',
    header: 'Of',
    cell: ({ tokenId }) => (tokenId === null ? <strong>Cash</strong> : <Hash hash={tokenId} what="Token" />),
  },
  { key: 'before', header: 'Before', align: 'end', cell: (row) => exactly(row.before, unitOf(row)) },
  { key: 'after', header: 'After', align: 'end', cell: (row) => exactly(row.after, unitOf(row)) },
  {
    key: 'change',
    header: 'Change',
    align: 'end',
    cell: (row) => (row.change === null ? '–' : <Signed value={row.change}>{exactly(row.change, unitOf(row))}</Signed>),
  },
];

function BackToSubmissions() {
  return (
    <BackLink to="/submissions" search={lastSearch<SubmissionSearch>('submissions')}>
      Submissions
    </BackLink>
  );
}
