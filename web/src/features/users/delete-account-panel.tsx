import { deleteMe } from '@dutchbook/contract/users.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { endSession } from '../../calls/access-token.ts';
import { call } from '../../calls/call.ts';
import { ConfirmedCall } from '../../forms/confirmed-call.tsx';

/** The way out for good. */
export function DeleteAccountPanel() {
  const [asking, setAsking] = useState(false);
  return (
    <div className="stack">
      <p>
        Deletes your account together with all your items, and logs you out everywhere. Opportunities and batches stay.
        This cannot be undone.
      </p>
      <Button color="red" style={{ justifySelf: 'end' }} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmedCall
        opened={asking}
        title="Confirmation Required"
        confirm="Confirm"
        send={() => call(deleteMe, {})}
        onDone={() => endSession()}
        meta={{ success: 'Your account has been successfully deleted' }}
        onClose={() => setAsking(false)}
      >
        <p>Your account and all your items will be deleted for good. This cannot be undone.</p>
      </ConfirmedCall>
    </div>
  );
}
