import { useBlocker } from '@tanstack/react-router';
import { readAccessToken } from '../calls/access-token.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useAnythingUnsaved } from './unsaved.ts';

/** For the page of forms that say `useUnsaved`: asks before it is left, unless the session has ended. */
export function UnsavedChanges() {
  const unsaved = useAnythingUnsaved();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && current.pathname !== next.pathname && readAccessToken() !== null,
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      title="Leave without saving?"
      confirm="Leave"
      dismiss="Stay"
      onConfirm={() => proceed?.()}
      pending={false}
      onClose={() => reset?.()}
    >
      <p>What you have changed here has not been saved and would be lost.</p>
    </ConfirmDialog>
  );
}
