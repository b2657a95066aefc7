import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

type DialogProps = {
  opened: boolean;
  title: string;
  onClose: () => void;
  size?: ModalProps['size'];
  /** Whether closing would lose something, or the question to ask where it would; not given, whatever has been typed is. */
  unsaved?: boolean | string;
  children: ReactNode;
};

/**
 * A dialog that gives the focus back to what opened it. Escape, its cross and a click beside it ask before they throw
 * away what has been typed; a button inside calls `onClose` itself, and is not asked.
 */
export function Dialog({ opened, title, onClose, size = 'md', unsaved, children }: DialogProps) {
  const typed = useRef(false);
  useLayoutEffect(() => {
    if (!opened) return;
    typed.current = false;
    const opener = document.activeElement;
    return () => giveFocusTo(opener);
  }, [opened]);
  const dismiss = () => {
    const question = typeof unsaved === 'string' ? unsaved : 'Close without saving what you have typed?';
    if (!(unsaved ?? typed.current) || window.confirm(question)) onClose();
  };
  const noteTyping = () => {
    typed.current = true;
  };
  return (
    <Modal
      opened={opened}
      onClose={dismiss}
      title={title}
      size={size}
      returnFocus={false}
      onInput={noteTyping}
      // React gives the focus back to what had it before a commit, unless that is gone or inert.
      closeButtonProps={{ 'aria-label': 'Close', inert: !opened }}
    >
      {/* While it fades away, nothing in it may be pressed a second time. */}
      <div inert={!opened}>{children}</div>
    </Modal>
  );
}

/** The page's content takes it where the opener has gone, as with a deleted row. */
function giveFocusTo(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const target = isThere ? opener : document.getElementById('content');
  target?.focus({ preventScroll: true });
}
