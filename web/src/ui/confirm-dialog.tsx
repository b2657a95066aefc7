import type { ReactNode } from 'react';
import { Asked, Dialog } from './dialog.tsx';

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
      <Asked confirm={confirm} dismiss={dismiss} pending={pending} onConfirm={onConfirm} onDismiss={onClose}>
        {children}
      </Asked>
    </Dialog>
  );
}
