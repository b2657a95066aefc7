import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ButtonRow } from './button-row.tsx';
import styles from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';

type ConfirmDialogProps = {
  opened: boolean;
  title: string;
  /** What the button that goes through with it says. */
  confirm: string;
  /** What the button that leaves everything as it is says. */
  dismiss?: string;
  onConfirm: () => void;
  pending: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, confirm, dismiss = 'Cancel', onConfirm, pending, onClose, children } = props;
  return (
    <Dialog opened={opened} title={title} onClose={onClose}>
      <div className={styles.question}>
        {children}
        <ButtonRow>
          <Button variant="default" disabled={pending} onClick={onClose} data-autofocus>
            {dismiss}
          </Button>
          <Button color="red" loading={pending} onClick={onConfirm}>
            {confirm}
          </Button>
        </ButtonRow>
      </div>
    </Dialog>
  );
}
