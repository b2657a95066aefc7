import { Burger, Drawer } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ArmingControl } from '../features/arming/arming-control.tsx';
import { currentUserQuery } from '../features/session/current-user.ts';
import { UserMenu } from '../features/session/user-menu.tsx';
import { StatusStrip } from '../features/status/status-strip.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { loadToasts } from '../ui/toasts.tsx';
import styles from './desk.module.css';
import { LiveContext } from './live/live.ts';
import { createLive, keepOpen } from './live/open-live.ts';
import { readAgain } from './read-again.ts';
import { whenIdle } from './when-idle.ts';

const NewsToasts = lazy(() =>
  import('../features/notifications/news-toasts.tsx').then((loaded) => ({ default: loaded.NewsToasts })),
);

const NotificationCounts = lazy(() =>
  import('../features/notifications/notification-counts.tsx').then((loaded) => ({
    default: loaded.NotificationCounts,
  })),
);

type Entry = { to: string; icon: IconName; label: string; isForSuperusers?: boolean };

const ENTRIES = [
  { to: '/', icon: 'home', label: 'Dashboard' },
  { to: '/arbitrage', icon: 'arbitrage', label: 'Arbitrage' },
  { to: '/batches', icon: 'batches', label: 'Batch Orders' },
  { to: '/notifications', icon: 'bell', label: 'Notifications' },
  { to: '/items', icon: 'items', label: 'Items' },
  { to: '/settings', icon: 'settings', label: 'Settings' },
  { to: '/admin', icon: 'admin', label: 'Admin', isForSuperusers: true },
] as const satisfies readonly Entry[];

/** What stands around every page of somebody who is signed in; it opens the tab's one live connection. */
export function Desk() {
  const client = useQueryClient();
  const [live] = useState(() => createLive(() => void readAgain(client)));
  useEffect(() => keepOpen(live), [live]);
  useEffect(() => whenIdle(() => void loadToasts()), []);
  return (
    <LiveContext value={live}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <TopBar />
      <Suspense>
        <NewsToasts />
      </Suspense>
      <aside className={styles.side}>
        <Navigation />
      </aside>
      <main id="content" className={styles.main} tabIndex={-1}>
        <div className={styles.content}>
          <Outlet />
        </div>
        <div id="overlays" />
      </main>
    </LiveContext>
  );
}

function TopBar() {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <header className={styles.top}>
      <Burger
        className={styles.burger}
        opened={opened}
        onClick={() => setOpened(true)}
        size="sm"
        aria-label="Open menu"
      />
      <Link to="/" className={styles.brand} aria-label="Dutchbook">
        <img src="/favicon.svg" alt="" width={26} height={26} />
        <span>Dutchbook</span>
      </Link>
      <div className={styles.status}>
        <StatusStrip>
          <ArmingControl />
        </StatusStrip>
      </div>
      <UserMenu />
      <Drawer opened={opened} onClose={close} title="Menu" size={280}>
        <LoggedInAs />
        <Navigation onChosen={close} />
      </Drawer>
    </header>
  );
}

function LoggedInAs() {
  const { data: user } = useQuery(currentUserQuery);
  if (user === undefined) return null;
  return <p className={styles.who}>Logged in as {user.email}</p>;
}

function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { data: user } = useQuery(currentUserQuery);
  const shown = ENTRIES.filter((entry) => !('isForSuperusers' in entry) || user?.is_superuser === true);
  return (
    <nav aria-label="Main">
      <ul className={styles.entries}>
        {shown.map(({ to, icon, label }) => (
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
            {to === '/notifications' && user !== undefined && (
              <Suspense>
                <NotificationCounts />
              </Suspense>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
