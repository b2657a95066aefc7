import { notifications } from '@mantine/notifications';
import styles from '../../ui/toasts.module.css';

/** Long enough to read what was asked, and to go there. */
const SHOWN_MS = 12_000;

/** Says that a second person has to approve it, with a link to the request. */
export function toastAsked({ message }: { message: string }, onOpen: () => void): void {
  const open = () => {
    notifications.hide(id);
    onOpen();
  };
  const id = notifications.show({
    title: 'Sign-off asked for',
    message: (
      <>
        {message}{' '}
        <button type="button" className={styles.undo} onClick={open}>
          Open it
        </button>
      </>
    ),
    color: 'orange',
    autoClose: SHOWN_MS,
  });
}
