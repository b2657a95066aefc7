import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { currentUserQuery } from '../session/current-user.ts';
import styles from './factor-notice.module.css';

/** Explains what to do to a user without a second factor where one is required of all. */
export function FactorNotice() {
  const { data: user } = useQuery(currentUserQuery);
  if (!user?.second_factor_missing) return null;
  return (
    <p role="status" className={styles.notice}>
      All users here need a second factor before they change anything:{' '}
      <Link to="/settings" search={{ tab: 'second-factor' }}>
        set yours up
      </Link>
      .
    </p>
  );
}
