import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, memo, Suspense } from 'react';
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
            <Entry to={to} icon={icon} label={label} onChosen={onChosen} />
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

type EntryProps = Pick<ReturnType<typeof screensFor>[number], 'to' | 'icon' | 'label'> & {
  onChosen: (() => void) | undefined;
};

/** Remembered: to work out an address takes long, and what is known of the user and the system comes in several answers. */
const Entry = memo(function Entry({ to, icon, label, onChosen }: EntryProps) {
  return (
    <Link
      to={to}
      className={styles.entry}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      {...(onChosen === undefined ? {} : { onClick: onChosen })}
    >
      <Icon name={icon} />
      {label}
    </Link>
  );
});
