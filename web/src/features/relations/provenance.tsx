import type { RelationReply } from '@dutchbook/contract/relations.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CopiedId, Copyable } from '../../ui/copyable.tsx';
import { LocalTime, Moment } from '../../ui/local-time.tsx';
import { Details, Panel } from '../../ui/panel.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import styles from './provenance.module.css';
import { BASIS_MEANING, stateWords, undecidedWords } from './relation-words.ts';

/** What the relation was read from, and who decided on it. */
export function Provenance({ of: relation }: { of: RelationReply }) {
  return (
    <div className="pair">
      <ReadFrom of={relation} />
      <Decision of={relation} />
    </div>
  );
}

function ReadFrom({
  of: { basis, read_from, completeness, fingerprint, event_id, created_at },
}: {
  of: RelationReply;
}) {
  return (
    <Panel title="Read From" folds>
      <p className={styles.meaning}>{BASIS_MEANING[basis]}</p>
      <ul className={styles.fields}>
        {[...new Set(read_from)].map((field) => (
          <li key={field}>{field}</li>
        ))}
      </ul>
      <p className={styles.meaning}>{completeness}</p>
      <Details
        details={[
          {
            name: 'Event',
            value: <CopiedId id={event_id} what="Event ID" whole />,
          },
          {
            name: 'Fingerprint',
            value: <Copyable text={fingerprint} what="Fingerprint" mono>{`${fingerprint.slice(0, 16)}…`}</Copyable>,
          },
          { name: 'Found', value: <Moment at={created_at} /> },
        ]}
      />
    </Panel>
  );
}

function Decision({ of: relation }: { of: RelationReply }) {
  const { decided_by, decided_at, by_series, reason } = relation;
  const { data: user } = useQuery(currentUserQuery);
  return (
    <Panel title="Decision">
      <p className={styles.meaning}>{stateWords(relation).meaning}</p>
      {decided_at !== null && (
        <p>
          {DECIDED[relation.state]} by {decided_by ?? 'a deleted user'}, <LocalTime at={decided_at} />
          {by_series && ', with every event of its series'}.
        </p>
      )}
      {decided_at === null && <p>{undecidedWords(relation)}</p>}
      {reason !== null && <Reason>{reason}</Reason>}
      {user?.is_superuser === false && <p className={styles.meaning}>Superusers approve and reject relations.</p>}
    </Panel>
  );
}

const DECIDED: Record<RelationReply['state'], string> = {
  proposed: 'Looked at',
  approved: 'Approved',
  rejected: 'Rejected',
  void: 'Decided before it became void',
};

function Reason({ children }: { children: ReactNode }) {
  return (
    <p className={styles.reason}>
      <span>Why: </span>
      {children}
    </p>
  );
}
