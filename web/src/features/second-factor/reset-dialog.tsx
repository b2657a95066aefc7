import type { User } from '@dutchbook/contract/current-user.ts';
import { resetSecondFactor } from '@dutchbook/contract/second-factor.ts';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Asks before the second factor of somebody who has lost it is forgotten. */
export function ResetSecondFactorDialog({
  opened,
  user,
  onClose,
}: {
  opened: boolean;
  user: User;
  onClose: () => void;
}) {
  const { start, isPending } = useSingleMutation({
    mutationFn: () => call(resetSecondFactor, { params: { user_id: user.id } }),
    onSuccess: onClose,
    meta: {
      success: 'The second factor is gone, and their sessions have ended.',
      failure: 'Failed to reset the second factor',
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title="Reset Second Factor"
      confirm="Reset Second Factor"
      onConfirm={start}
      pending={isPending}
      onClose={onClose}
    >
      <p>
        The password alone opens the account of <strong>{user.email}</strong> until they set up another one. Make sure
        that it is they who ask for it.
      </p>
    </ConfirmDialog>
  );
}
