import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Link } from '@tanstack/react-router';
import type { Column } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/local-time.tsx';
import styles from './chain-steps.module.css';
import { callWords, submissionWords } from './chain-words.ts';
import { AskedBy, Batches, Hash, Received, SubmissionStatus } from './submission-values.tsx';

const CALLS_SHOWN = 2;

export const SUBMISSION_COLUMNS: readonly Column<ChainSubmission, never>[] = [
  { key: 'what', header: 'What', wide: true, cell: (row) => <What of={row} /> },
  {
    key: 'status',
    header: 'Status',
    cell: (row) => (
      <span className="lines">
        <SubmissionStatus of={row} />
        {row.error !== null && <span className={styles.error}>{row.error}</span>}
      </span>
    ),
  },
  { key: 'created', header: 'Created', cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    key: 'expected',
    header: 'Expected',
    align: 'end',
    cell: ({ purpose, expected_usd }) => (purpose === 'approval' ? '–' : formatUsd(expected_usd)),
  },
  { key: 'received', header: 'Received', align: 'end', cell: (row) => <Received of={row} /> },
  { key: 'batches', header: 'Batches', cell: (row) => <Batches of={row} /> },
  { key: 'asked', header: 'Asked by', spare: true, cell: (row) => <AskedBy of={row} /> },
  { key: 'hash', header: 'Transaction', spare: true, cell: ({ hash }) => <Hash hash={hash} /> },
];

/** Leads to its evidence. */
function What({ of: submission }: { of: ChainSubmission }) {
  const { id, steps, by_venue } = submission;
  return (
    <span className={styles.what}>
      <Link to="/submissions/$submissionId" params={{ submissionId: id }}>
        <strong>{submissionWords(submission)}</strong>
      </Link>
      {steps.slice(0, CALLS_SHOWN).map((step) => (
        <span key={step.id} className="hint">
          {callWords(step, by_venue)}
        </span>
      ))}
      {steps.length > CALLS_SHOWN && <span className="hint">and {steps.length - CALLS_SHOWN} more</span>}
    </span>
  );
}
