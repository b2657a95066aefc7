import { rejectSignOff, SIGN_OFF_REASON_MAX, type SignOff } from '@dutchbook/contract/sign-offs.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { ReasonDialog } from '../../forms/reason-dialog.tsx';
import { signOffsKey } from './sign-off-queries.ts';

type RejectDialogProps = { opened: boolean; signOff: SignOff; onClose: () => void };

/** Asks for the reason of a rejection, which is shown to the requester. */
export function RejectDialog({ signOff: { id, requested_by, summary }, ...dialog }: RejectDialogProps) {
  const client = useQueryClient();
  return (
    <ReasonDialog
      {...dialog}
      title="Reject Sign-Off"
      lengthMax={SIGN_OFF_REASON_MAX}
      problems={rulesOf(rejectSignOff.body)}
      send={async (body) => {
        await call(rejectSignOff, { params: { sign_off_id: id }, body });
        // The list is refetched before the dialog closes: the focus would otherwise return to a row that is about to go.
        await client.invalidateQueries({ queryKey: signOffsKey });
      }}
      meta={{ success: 'The sign-off was rejected.', failure: 'Failed to reject the sign-off' }}
    >
      {requested_by} will see your reason for rejecting: <strong>{summary}</strong>
    </ReasonDialog>
  );
}
