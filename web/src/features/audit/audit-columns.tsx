import type { AuditAction, AuditEntry } from '@dutchbook/contract/audit.ts';
import { ACTION_WORDS } from '@dutchbook/contract/notes/audit-words.ts';
import { SETTING_LABELS } from '@dutchbook/contract/notes/setting-labels.ts';
import { idFrom } from '../../lists/list-search.ts';
import { Copyable, shortId } from '../../ui/copyable.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/local-time.tsx';
import styles from './audit-columns.module.css';
import { type Difference, differencesOf } from './audit-difference.ts';

export type AuditRow = AuditEntry & { id: string };

export const AUDIT_COLUMNS: readonly Column<AuditRow>[] = [
  { key: 'when', header: 'When', cell: ({ at }) => <Moment at={at} /> },
  { key: 'who', header: 'Who', cell: (entry) => <Who of={entry} /> },
  { key: 'from', header: 'From', cell: ({ address }) => <span className={styles.address}>{address}</span> },
  { key: 'what', header: 'What', cell: ({ action }) => <What action={action} /> },
  { key: 'object', header: 'On what', wide: true, cell: ({ object }) => <OnWhat object={object} /> },
  { key: 'change', header: 'Change', wide: true, cell: (entry) => <Change of={entry} /> },
];

function Who({ of: { actor } }: { of: AuditEntry }) {
  if (actor === null) return <span className="muted">Not signed in</span>;
  return <span className={styles.text}>{actor}</span>;
}

/** An entry that was forged, or written by a later version, may name an action that has no words here. */
function What({ action }: { action: AuditAction }) {
  const words: string | undefined = ACTION_WORDS[action];
  return words ?? <span className={styles.text}>{action}</span>;
}

function OnWhat({ object }: { object: string | null }) {
  if (object === null) return '–';
  const isId = idFrom(object) !== undefined;
  return (
    <div className={styles.object}>
      <Copyable text={object} what="Name" mono={isId}>
        {isId ? shortId(object) : object}
      </Copyable>
    </div>
  );
}

function Change({ of: { before, after } }: { of: AuditEntry }) {
  const differences = differencesOf(before, after);
  if (differences.length === 0) return '–';
  return (
    <details className={styles.change}>
      <summary>{differences.length === 1 ? '1 value' : `${differences.length} values`}</summary>
      <dl>
        {differences.map((difference) => (
          <div key={difference.name}>
            <dt>{nameOf(difference)}</dt>
            <dd>
              <Values of={difference} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** A setting as its own page calls it. */
function nameOf({ name }: Difference): string {
  return SETTING_LABELS[name as keyof typeof SETTING_LABELS] ?? (name || 'value');
}

function Values({ of: { before, after } }: { of: Difference }) {
  return (
    <>
      {before !== null && after !== null && 'from '}
      {before !== null && <del>{before}</del>}
      {before !== null && after !== null && ' to '}
      {after !== null && <ins>{after}</ins>}
    </>
  );
}
