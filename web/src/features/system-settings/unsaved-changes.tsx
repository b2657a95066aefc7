import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { readAccessToken } from '../../app/access-token.ts';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './unsaved-changes.module.css';

/** While there is something unsaved, asks before the page is left; whoever's session has ended is not held back. */
export function UnsavedChanges({ unsaved }: { unsaved: boolean }) {
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
