import type { SignOff, SignOffState } from '@dutchbook/contract/sign-offs.ts';
import { Link } from '@tanstack/react-router';
import type { Column } from '../../ui/data-table.tsx';
import { LocalTime, Moment } from '../../ui/local-time.tsx';
import { StatusBadge, statusWords, type Tone } from '../../ui/status-badge.tsx';

import styles from './sign-offs.module.css';

const TONES: Record<SignOffState, Tone> = {
  open: 'pending',
  approved: 'success',
  rejected: 'error',
  withdrawn: 'inactive',
  expired: 'inactive',
  failed: 'error',
};

export const SIGN_OFF_COLUMNS: readonly Column<SignOff>[] = [
  { key: 'requested', header: 'Asked', cell: ({ requested_at }) => <Moment at={requested_at} /> },
  { key: 'summary', header: 'What', wide: true, cell: ({ summary }) => summary },
  { key: 'by', header: 'By', cell: ({ requested_by }) => <span className={styles.person}>{requested_by}</span> },
  {
    key: 'state',
    header: 'State',
    cell: ({ state }) => <StatusBadge tone={TONES[state]}>{statusWords(state)}</StatusBadge>,
  },
  { key: 'decided', header: 'Decided', cell: (signOff) => <Decided signOff={signOff} /> },
  { key: 'outcome', header: 'Outcome', wide: true, cell: (signOff) => <Outcome signOff={signOff} /> },
];

function Decided({ signOff: { decided_by, decided_at } }: { signOff: SignOff }) {
  if (decided_by === null || decided_at === null) return <span className="muted">N/A</span>;
  return (
    <span className={styles.person}>
      {decided_by}, <LocalTime at={decided_at} />
    </span>
  );
}

function Outcome({ signOff: { reason, outcome, batch_id: batchId, state } }: { signOff: SignOff }) {
  const said = reason ?? outcome;
  if (said === null) return <span className="muted">N/A</span>;
  if (state !== 'approved' || batchId === null) return said;
  return (
    <Link to="/batches/$batchId" params={{ batchId }}>
      {said}
    </Link>
  );
}
