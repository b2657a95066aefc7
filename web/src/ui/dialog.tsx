import { Button, Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { ButtonRow } from './button-row.tsx';
import styles from './dialog.module.css';

export type DialogProps = {
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
  const { ask, question } = useQuestion();
  const dismiss = () => {
    if (!(unsaved ?? typed.current)) onClose();
    else
      ask(
        { title: 'Close This?', text: typeof unsaved === 'string' ? unsaved : UNSAVED, confirm: 'Close It' },
        onClose,
      );
  };
  const noteTyping = () => {
    typed.current = true;
  };
  return (
    // Of dialogs above one another the topmost has the keys.
    <Modal.Stack>
      <Modal
        stackId="dialog"
        opened={opened}
        onClose={dismiss}
        title={title}
        size={size}
        returnFocus={false}
        overlayProps={ONCE}
        onInput={noteTyping}
        // React gives the focus back to what had it before a commit, unless that is gone or inert.
        closeButtonProps={{ 'aria-label': 'Close', inert: !opened }}
      >
        {/* While it fades away, nothing in it may be pressed a second time. */}
        <div inert={!opened}>{children}</div>
        {opened && question}
      </Modal>
    </Modal.Stack>
  );
}

/** The second click of a double click lies beside the dialog that the first one has opened, and does not close it. */
const ONCE: NonNullable<ModalProps['overlayProps']> = {
  onClickCapture: (event) => {
    if (event.detail > 1) event.stopPropagation();
  },
};

const UNSAVED = 'Close without saving what you have typed?';

type Question = {
  title: string;
  text: string;
  /** What the button that goes through with it says. */
  confirm: string;
};

/** What a question that stands says now, and does when it is answered; `refused`: why it can not be done any more. */
type Standing = { text: string; refused: string | undefined; onConfirm: () => void };

/**
 * Asks before something is done. `question` belongs where the page or the dialog ends that asks. What is `standing` takes the place of
 * what was asked with.
 */
export function useQuestion(standing?: Standing) {
  const [asked, setAsked] = useState<Question & { onConfirm: () => void }>();
  const [isAsking, setAsking] = useState(false);
  const stackId = useId();
  const opener = useRef<Element>(null);
  const ask = (question: Question, onConfirm: () => void) => {
    opener.current = document.activeElement;
    setAsked({ ...question, onConfirm });
    setAsking(true);
  };
  const dismiss = () => setAsking(false);
  const question = (
    <Modal
      stackId={stackId}
      opened={isAsking}
      onClose={dismiss}
      title={asked?.title}
      size="sm"
      returnFocus={false}
      overlayProps={ONCE}
      onExitTransitionEnd={() => giveFocusTo(opener.current)}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Asked
        confirm={asked?.confirm ?? ''}
        dismiss="Back"
        pending={false}
        refused={standing?.refused !== undefined}
        onDismiss={dismiss}
        onConfirm={() => {
          dismiss();
          (standing ?? asked)?.onConfirm();
        }}
      >
        <p role={standing === undefined ? undefined : 'status'}>{standing?.refused ?? standing?.text ?? asked?.text}</p>
      </Asked>
    </Modal>
  );
  return { ask, question };
}

type AskedProps = {
  confirm: string;
  dismiss: string;
  pending: boolean;
  /** It cannot be done any more, as its text says. */
  refused?: boolean;
  onConfirm: () => void;
  onDismiss: () => void;
  children: ReactNode;
};

/** A question and its two answers; the focus is on the one that leaves everything as it is. */
export function Asked({ confirm, dismiss, pending, refused = false, onConfirm, onDismiss, children }: AskedProps) {
  return (
    <div className={styles.question} data-question>
      {children}
      <ButtonRow>
        <Button variant="default" disabled={pending} onClick={onDismiss} data-autofocus>
          {dismiss}
        </Button>
        <Button color="red" loading={pending} disabled={refused} onClick={onConfirm}>
          {confirm}
        </Button>
      </ButtonRow>
    </div>
  );
}

/**
 * The page's content takes it where the opener has gone, as with a deleted row. A dialog below takes the focus to what is marked, or else
 * to its first button: before this where dialogs fade, after it where motion is reduced.
 */
function giveFocusTo(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const target = isThere ? opener : document.getElementById('content');
  if (target === null) return;
  target.toggleAttribute('data-autofocus', true);
  target.addEventListener('blur', () => target.toggleAttribute('data-autofocus', false), { once: true });
  target.focus({ preventScroll: true });
}
