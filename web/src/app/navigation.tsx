import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { NotificationCounts } from '../features/notifications/notification-counts.tsx';
import { currentUserQuery } from '../features/session/current-user.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './app-shell.module.css';
import { screensFor } from './screens.ts';

/** The screens that the user may open; `onChosen` is called when one has been. */
export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { data: user } = useQuery(currentUserQuery);
  return (
    <nav aria-label="Main">
      <ul className={styles.entries}>
        {screensFor(user).map(({ to, icon, label }) => (
          <li key={to}>
            <Link
              to={to}
              className={styles.entry}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              {...(onChosen === undefined ? {} : { onClick: onChosen })}
            >
              <Icon name={icon} />
              {label}
            </Link>
            {to === '/notifications' && user !== undefined && <NotificationCounts />}
          </li>
        ))}
      </ul>
    </nav>
  );
}
