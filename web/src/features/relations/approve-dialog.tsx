import { approveRelation } from '@dutchbook/contract/discovery/decisions.ts';
import type { RelationReply } from '@dutchbook/contract/relations.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ApiError, errorText } from '../../calls/api-error.ts';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { toastFailure } from '../../calls/toast-failure.tsx';
import { readOne } from '../../live/fresher.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import styles from './approve-dialog.module.css';
import { useKeepRelation, useReadRelationAgain } from './relation-queries.ts';
import { losesNow, lossWords } from './relation-words.ts';

type Scope = 'relation' | 'series';

type ApproveDialogProps = {
  opened: boolean;
  /** As it was shown when the question was asked. */
  relation: RelationReply;
  onClose: () => void;
  /** It is not any more what was shown, or what has come of its members contradicts it. */
  onRefused: (why: string) => void;
};

const SCOPES: readonly { value: Scope; label: string; meaning: string }[] = [
  { value: 'relation', label: 'This relation', meaning: 'Nothing else is approved by it.' },
  {
    value: 'series',
    label: 'Every event of its series',
    meaning:
      'Those that read like it, today’s and those to come; one that reads otherwise has to be approved by itself.',
  },
];

/** Asks what exactly is approved, and sends the fingerprint that was shown. */
export function ApproveDialog({ opened, relation, onClose, onRefused }: ApproveDialogProps) {
  return (
    <Dialog opened={opened} title="Approve Relation" onClose={onClose}>
      <ApproveForm relation={relation} onClose={onClose} onRefused={onRefused} />
    </Dialog>
  );
}

function ApproveForm({ relation, onClose, onRefused }: Omit<ApproveDialogProps, 'opened'>) {
  const { event_title, title, completeness, is_void_safe, has_series } = relation;
  const [scope, setScope] = useState<Scope>('relation');
  const { start, isPending } = useApproval({ relation, onClose, onRefused });
  return (
    <div className={`stack ${styles.form}`}>
      <p>
        From then on its hits become opportunities: <strong>{event_title}</strong>, {title}
      </p>
      {losesNow(relation) && <Note tone="warning" title={lossWords(relation)} />}
      <p className="hint">{completeness}</p>
      {!is_void_safe && <Note tone="warning" title="It pays less than its payout where a market is voided." />}
      {has_series && (
        <fieldset className={styles.scopes}>
          <legend>What is approved</legend>
          {SCOPES.map(({ value, label, meaning }) => (
            <label key={value} className={styles.scope}>
              <input
                type="radio"
                name="scope"
                value={value}
                checked={scope === value}
                aria-describedby={`scope-${value}`}
                onChange={() => setScope(value)}
              />
              <span>
                {label}
                <span id={`scope-${value}`} className="hint">
                  {meaning}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <ButtonRow>
        <Button variant="default" disabled={isPending} onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button loading={isPending} onClick={() => start(scope)}>
          Approve
        </Button>
      </ButtonRow>
    </div>
  );
}

function useApproval({ relation: { id, fingerprint }, onClose, onRefused }: Omit<ApproveDialogProps, 'opened'>) {
  const keep = useKeepRelation();
  const readAgain = useReadRelationAgain(id);
  return useSingleMutation({
    mutationFn: (scope: Scope) =>
      readOne(() => call(approveRelation, { params: { relation_id: id }, body: { scope, fingerprint } })),
    onSuccess: (relation) => {
      keep(relation);
      onClose();
    },
    onError: (error) => {
      if (!(error instanceof ApiError && error.status === 409))
        return toastFailure(error, { what: 'Failed to approve the relation' });
      onRefused(errorText(error));
      readAgain();
      onClose();
    },
    meta: { success: 'Relation approved.', quiet: true },
  });
}
