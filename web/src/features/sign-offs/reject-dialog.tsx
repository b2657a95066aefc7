import { rejectSignOff, SIGN_OFF_REASON_MAX, type SignOff } from '@dutchbook/contract/sign-offs.ts';
import { Button, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { signOffsKey } from './sign-off-queries.ts';

type RejectDialogProps = { opened: boolean; signOff: SignOff; onClose: () => void };

/** Asks why, for whoever has asked to read. */
export function RejectDialog({ opened, signOff, onClose }: RejectDialogProps) {
  return (
    <Dialog opened={opened} title="Reject Sign-Off" onClose={onClose}>
      <RejectForm signOff={signOff} onClose={onClose} />
    </Dialog>
  );
}

function RejectForm({ signOff, onClose }: Omit<RejectDialogProps, 'opened'>) {
  const client = useQueryClient();
  const { form, submit, sending } = useContractForm({
    initialValues: { reason: '' },
    problems: rulesOf(rejectSignOff.body),
    send: (body) => call(rejectSignOff, { params: { sign_off_id: signOff.id }, body }),
    meta: { success: 'The sign-off was rejected.', failure: 'Failed to reject the sign-off' },
    onSent: async () => {
      // The row goes first, so that the focus does not return to it.
      await client.invalidateQueries({ queryKey: signOffsKey });
      onClose();
    },
  });
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <p>
        {signOff.requested_by} reads why this is not done: <strong>{signOff.summary}</strong>
      </p>
      <Textarea
        label="Reason"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={SIGN_OFF_REASON_MAX}
        data-autofocus
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
