import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { NotificationCounts } from '../features/notifications/notification-counts.tsx';
import { currentUserQuery } from '../features/session/current-user.ts';
import { useSystemStatus } from '../features/status/system-status.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './app-shell.module.css';
import { screensFor } from './screens.ts';

const SignOffCount = lazy(() =>
  import('../features/sign-offs/sign-off-count.tsx').then((code) => ({ default: code.SignOffCount })),
);

/** The screens that the user may open; `onChosen` is called when one has been. */
export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { data: user } = useQuery(currentUserQuery);
  const openSignOffs = useSystemStatus()?.open_sign_offs ?? 0;
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
            {to === '/admin' && openSignOffs > 0 && (
              <Suspense>
                <SignOffCount of={openSignOffs} onChosen={onChosen} />
              </Suspense>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
