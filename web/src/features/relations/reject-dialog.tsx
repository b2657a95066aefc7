import { REASON_LENGTH_MAX, rejectRelation } from '@dutchbook/contract/discovery/decisions.ts';
import type { RelationReply } from '@dutchbook/contract/relations.ts';
import { call } from '../../calls/call.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { ReasonForm } from '../../forms/reason-form.tsx';
import { readOne } from '../../live/fresher.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useKeepRelation } from './relation-queries.ts';

type RejectDialogProps = { opened: boolean; relation: RelationReply; onClose: () => void };

/** Asks why, and has a relation never proposed again. */
export function RejectDialog({ opened, relation, onClose }: RejectDialogProps) {
  const { id, event_title, title, has_series } = relation;
  const keep = useKeepRelation();
  return (
    <Dialog opened={opened} title="Reject Relation" onClose={onClose}>
      <ReasonForm
        lengthMax={REASON_LENGTH_MAX}
        problems={rulesOf(rejectRelation.body)}
        send={(body) => readOne(() => call(rejectRelation, { params: { relation_id: id }, body }))}
        meta={{ success: 'Relation rejected.', failure: 'Failed to reject the relation' }}
        onSent={(relation) => {
          keep(relation);
          onClose();
        }}
        onClose={onClose}
      >
        It will no longer create opportunities or be proposed again: <strong>{event_title}</strong>, {title}
        {has_series && '. If its series was approved, that ends: those still to come are proposed again'}
      </ReasonForm>
    </Dialog>
  );
}
