import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { currentUserQuery } from '../session/current-user.ts';
import styles from './no-channel-note.module.css';
import { useHasChannel } from './sending-status.ts';

/** Says, where that is so, that nothing is sent to anybody, and how it can be. */
export function NoChannelNote() {
  const { data: user } = useQuery(currentUserQuery);
  if (useHasChannel() !== false || user === undefined) return null;
  return (
    <p className={styles.note}>
      No channel is set up: notifications are kept here and sent to nobody.{' '}
      {user.is_superuser ? <Link to="/settings">Set Up Telegram</Link> : 'A superuser can set one up.'}
    </p>
  );
}
