import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { Dialog } from '../ui/dialog.tsx';
import { readAccessToken } from './access-token.ts';
import { useAnythingUnsaved } from './unsaved.ts';
import styles from './unsaved-changes.module.css';

/** For the page of forms that say `useUnsaved`: asks before it is left; whoever's session has ended is not held back. */
export function UnsavedChanges() {
  const unsaved = useAnythingUnsaved();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && current.pathname !== next.pathname && readAccessToken() !== null,
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  return (
    <Dialog opened={status === 'blocked'} title="Leave without saving?" onClose={() => reset?.()}>
      <div className={styles.question}>
        <p>What you have changed here has not been saved and would be lost.</p>
        <div className={styles.buttons}>
          <Button variant="default" data-autofocus onClick={() => reset?.()}>
            Stay
          </Button>
          <Button color="red" onClick={() => proceed?.()}>
            Leave
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
