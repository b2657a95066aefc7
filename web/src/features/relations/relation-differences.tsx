import type { RelationDifference } from '@dutchbook/contract/relations.ts';
import { useMemo } from 'react';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import { type ChangedPart, changedParts } from './changed-part.ts';
import styles from './relation-differences.module.css';

type Row = RelationDifference & { id: string };

/** What has changed since the relation was read or approved, before beside after. */
export function DifferencesPanel({ differences }: { differences: readonly RelationDifference[] }) {
  const rows = useMemo(
    () => differences.map((difference, index) => ({ ...difference, id: String(index) })),
    [differences],
  );
  if (rows.length === 0) return null;
  return (
    <Panel title="What Changed" tone="error">
      <DataTable label="What changed" columns={COLUMNS} rows={rows} />
    </Panel>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'what',
    header: 'Field',
    wide: true,
    cell: ({ field, question }) => (
      <span className={styles.field}>
        <strong>{statusWords(field)}</strong>
        <span>{question ?? 'Of the event'}</span>
      </span>
    ),
  },
  { key: 'before', header: 'Before', wide: true, cell: (row) => <Side of={row} side="before" /> },
  { key: 'after', header: 'After', wide: true, cell: (row) => <Side of={row} side="after" /> },
];

function Side({ of: { before, after }, side }: { of: Row; side: 'before' | 'after' }) {
  const whole = side === 'before' ? before : after;
  if (whole === null) return <span className="muted">{side === 'before' ? 'Was not there' : 'Is gone'}</span>;
  const { lead, part, tail }: ChangedPart = changedParts(before ?? '', after ?? '')[side];
  return (
    <span className={styles.side}>
      {lead}
      {side === 'before' ? <del>{part}</del> : <ins>{part}</ins>}
      {tail}
    </span>
  );
}
