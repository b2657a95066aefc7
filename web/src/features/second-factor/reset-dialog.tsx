import type { User } from '@dutchbook/contract/current-user.ts';
import { resetSecondFactor } from '@dutchbook/contract/second-factor.ts';
import { call } from '../../calls/call.ts';
import { ConfirmedCall } from '../../forms/confirmed-call.tsx';

type ResetSecondFactorDialogProps = { opened: boolean; user: User; onClose: () => void };

/** Asks before the second factor of a user who has lost it is forgotten. */
export function ResetSecondFactorDialog({ opened, user, onClose }: ResetSecondFactorDialogProps) {
  return (
    <ConfirmedCall
      opened={opened}
      title="Reset Second Factor"
      confirm="Reset Second Factor"
      send={() => call(resetSecondFactor, { params: { user_id: user.id } })}
      meta={{
        success: 'The second factor is gone, and their sessions have ended.',
        failure: 'Failed to reset the second factor',
      }}
      onClose={onClose}
    >
      <p>
        The password alone opens the account of <strong>{user.email}</strong> until they set up another one. Make sure
        that it is they who ask for it.
      </p>
    </ConfirmedCall>
  );
}
