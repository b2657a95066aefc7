import { Burger, Drawer, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ArmingControl } from '../features/arming/arming-control.tsx';
import { currentUserQuery } from '../features/session/current-user.ts';
import { UserMenu } from '../features/session/user-menu.tsx';
import { OfflineBanner } from '../features/status/offline-banner.tsx';
import { StatusStrip } from '../features/status/status-strip.tsx';
import { Icon } from '../ui/icons.tsx';
import { loadToasts } from '../ui/toasts.tsx';
import { COMMAND_KEY } from './command-key.ts';
import styles from './desk.module.css';
import { DeskKeys, type KeyDialog } from './desk-keys.tsx';
import { LiveContext } from './live/live.ts';
import { createLive, keepOpen } from './live/open-live.ts';
import { readAgain } from './read-again.ts';
import { screensFor } from './screens.ts';
import { whenIdle } from './when-idle.ts';

const NewsToasts = lazy(() =>
  import('../features/notifications/news-toasts.tsx').then((loaded) => ({ default: loaded.NewsToasts })),
);

const NotificationCounts = lazy(() =>
  import('../features/notifications/notification-counts.tsx').then((loaded) => ({
    default: loaded.NotificationCounts,
  })),
);

/** What stands around every page of somebody who is signed in; it opens the tab's one live connection. */
export function Desk() {
  const client = useQueryClient();
  const [live] = useState(() => createLive(() => void readAgain(client)));
  useEffect(() => keepOpen(live), [live]);
  useEffect(() => whenIdle(() => void loadToasts()), []);
  const [opened, setOpened] = useState<KeyDialog>();
  return (
    <LiveContext value={live}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <TopBar onSearch={() => setOpened('palette')} />
      <OfflineBanner />
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
      <DeskKeys opened={opened} onOpened={setOpened} />
    </LiveContext>
  );
}

function TopBar({ onSearch }: { onSearch: () => void }) {
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
      <UnstyledButton
        className={styles.search}
        aria-label="Search"
        aria-keyshortcuts={COMMAND_KEY.aria}
        onClick={onSearch}
      >
        <Icon name="search" size={16} />
        <span>Search</span>
        <kbd>{COMMAND_KEY.shown}</kbd>
      </UnstyledButton>
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
