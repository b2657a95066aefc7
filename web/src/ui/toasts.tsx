import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications, notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import styles from './toasts.module.css';

const COPY_TOAST_MS = 2_000;
/** A failure stays long enough to be read to its end. */
const FAILURE_TOAST_MS = 8_000;
/** Long enough to see that it was the wrong one. */
const UNDO_MS = 10_000;
/** Above dialogs, over which a failure is shown, and below what drops down from a button. */
const Z_INDEX = 250;

/** Stands once, at the root of the page: toasts appear at the end of the line, under the top bar. */
export function Toasts() {
  return (
    <Notifications
      position="top-right"
      containerWidth={360}
      zIndex={Z_INDEX}
      classNames={{ root: styles.toasts ?? '' }}
      allowDragDismiss={false}
    />
  );
}

/** A success repeated in a row is shown once. */
export function toastSuccess(message: string): void {
  notifications.show({ id: message, title: 'Success!', message, color: 'teal' });
}

/** A success that can be taken back, as long as it is said. */
export function toastUndoable(message: string, onUndo: () => void): void {
  const undo = () => {
    notifications.hide(id);
    onUndo();
  };
  const id = notifications.show({
    title: 'Success!',
    message: (
      <>
        {message}{' '}
        <button type="button" className={styles.undo} onClick={undo}>
          Undo
        </button>
      </>
    ),
    color: 'teal',
    autoClose: UNDO_MS,
  });
}

/** One toast per `id` at a time, so that ten failing calls do not stack ten of them. */
export function toastProblem(message: ReactNode, id?: string): void {
  const named = id === undefined ? {} : { id };
  notifications.show({
    ...named,
    title: 'Something went wrong!',
    message,
    color: 'red',
    role: 'alert',
    autoClose: FAILURE_TOAST_MS,
  });
}

/**
 * Something has happened that was not asked for here; one toast per `id`. `good`: the notification asks for no action, so that its toast
 * has not the colour of a problem.
 */
export function toastNotifications(title: string, message: string, id: string, good = false): void {
  const color = good ? 'teal' : 'orange';
  notifications.show({ id, title, message, color, role: 'alert', autoClose: FAILURE_TOAST_MS });
}

export function toastCopied(what: string): void {
  notifications.show({ message: `${what} copied`, color: 'teal', autoClose: COPY_TOAST_MS });
}
