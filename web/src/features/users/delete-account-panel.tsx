import { deleteMe } from '@dutchbook/contract/users.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { endSession } from '../../calls/access-token.ts';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** The way out for good. */
export function DeleteAccountPanel() {
  const [asking, setAsking] = useState(false);
  const deletion = useSingleMutation({
    mutationFn: () => call(deleteMe, {}),
    onSuccess: () => endSession(),
    meta: { success: 'Your account has been successfully deleted' },
  });
  return (
    <div className="stack">
      <p>
        Deletes your account together with all your items, and logs you out everywhere. Opportunities and batches stay.
        This cannot be undone.
      </p>
      <Button color="red" style={{ justifySelf: 'end' }} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Confirmation Required"
        confirm="Confirm"
        onConfirm={deletion.start}
        pending={deletion.isPending}
        onClose={() => setAsking(false)}
      >
        <p>Your account and all your items will be deleted for good. This cannot be undone.</p>
      </ConfirmDialog>
    </div>
  );
}
