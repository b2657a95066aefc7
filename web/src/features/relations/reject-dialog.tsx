import { REASON_LENGTH_MAX, rejectRelation } from '@dutchbook/contract/discovery/decisions.ts';
import type { RelationReply } from '@dutchbook/contract/relations.ts';
import { call } from '../../calls/call.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { ReasonDialog } from '../../forms/reason-dialog.tsx';
import { readOne } from '../../live/fresher.ts';
import { useKeepRelation } from './relation-queries.ts';

type RejectDialogProps = { opened: boolean; relation: RelationReply; onClose: () => void };

/** Asks why, and has a relation never proposed again. */
export function RejectDialog({ relation, ...dialog }: RejectDialogProps) {
  const { id, event_title, title, has_series } = relation;
  return (
    <ReasonDialog
      {...dialog}
      title="Reject Relation"
      lengthMax={REASON_LENGTH_MAX}
      problems={rulesOf(rejectRelation.body)}
      send={(body) => readOne(() => call(rejectRelation, { params: { relation_id: id }, body }))}
      meta={{ success: 'Relation rejected.', failure: 'Failed to reject the relation' }}
      onSent={useKeepRelation()}
    >
      It will no longer create opportunities or be proposed again: <strong>{event_title}</strong>, {title}
      {has_series && '. If its series was approved, that ends: those still to come are proposed again'}
    </ReasonDialog>
  );
}
