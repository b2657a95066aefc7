import { REASON_LENGTH_MAX, type RelationReply, rejectRelation } from '@dutchbook/contract/relations.ts';
import { Button, Textarea } from '@mantine/core';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { readOne } from '../../live/fresher.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './approve-dialog.module.css';
import { useKeepRelation } from './relation-queries.ts';

type RejectDialogProps = { opened: boolean; relation: RelationReply; onClose: () => void };

/** Asks why, and has a relation never proposed again. */
export function RejectDialog({ opened, relation, onClose }: RejectDialogProps) {
  return (
    <Dialog opened={opened} title="Reject Relation" onClose={onClose}>
      <RejectForm relation={relation} onClose={onClose} />
    </Dialog>
  );
}

function RejectForm({ relation: { id, event_title, title }, onClose }: Omit<RejectDialogProps, 'opened'>) {
  const keep = useKeepRelation();
  const { form, submit, sending } = useContractForm({
    initialValues: { reason: '' },
    problems: rulesOf(rejectRelation.body),
    send: (body) => readOne(() => call(rejectRelation, { params: { relation_id: id }, body })),
    meta: { success: 'Relation rejected.', failure: 'Failed to reject the relation' },
    onSent: (relation) => {
      keep(relation);
      onClose();
    },
  });
  return (
    <form noValidate onSubmit={submit} className={`stack ${styles.form}`}>
      <p>
        Its hits become no opportunities, and it is not proposed again: <strong>{event_title}</strong>, {title}
      </p>
      <Textarea
        data-autofocus
        label="Reason"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={REASON_LENGTH_MAX}
        {...form.getInputProps('reason')}
      />
      <ButtonRow>
        <Button variant="default" disabled={sending} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" color="red" loading={sending}>
          Reject
        </Button>
      </ButtonRow>
    </form>
  );
}
