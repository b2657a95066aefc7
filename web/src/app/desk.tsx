import { Burger, UnstyledButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ArmingControl } from '../features/arming/arming-control.tsx';
import { UserMenu } from '../features/session/user-menu.tsx';
import { OfflineBanner } from '../features/status/offline-banner.tsx';
import { StatusStrip } from '../features/status/status-strip.tsx';
import { explanationCode } from '../ui/explained.tsx';
import { Icon } from '../ui/icons.tsx';
import { lateCode } from '../ui/late-code.ts';
import { latePart } from '../ui/late-part.tsx';
import { menuCode } from '../ui/menu-button.tsx';
import { loadToasts } from '../ui/toasts.tsx';
import { COMMAND_KEY } from './command-key.ts';
import styles from './desk.module.css';
import { DeskKeys, type KeyDialog } from './desk-keys.tsx';
import { LiveContext } from './live/live.ts';
import { createLive, keepOpen } from './live/open-live.ts';
import { Navigation } from './navigation.tsx';
import { keepInStep } from './other-tabs.ts';
import { readAgain } from './read-again.ts';
import { whenIdle } from './when-idle.ts';

const NewsToasts = latePart(() => import('../features/notifications/news-toasts.tsx').then((code) => code.NewsToasts));

const drawerCode = lateCode(() => import('./menu-drawer.tsx'));

/** What stands around every page of somebody who is signed in; it opens the tab's one live connection. */
export function Desk() {
  const client = useQueryClient();
  const [live] = useState(() => createLive(() => void readAgain(client)));
  useEffect(() => keepOpen(live), [live]);
  useEffect(() => keepInStep(client), [client]);
  useEffect(() => whenIdle(() => void fetchWhatOpens()), []);
  const [opened, setOpened] = useState<KeyDialog>();
  return (
    <LiveContext value={live}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <TopBar onSearch={() => setOpened('palette')} />
      <OfflineBanner />
      <NewsToasts />
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

/** What somebody may open next: one after the other, so that the page stays free to answer. */
async function fetchWhatOpens(): Promise<void> {
  // Where the navigation has room at the side, nothing opens the drawer.
  const narrow = matchMedia('(max-width: 767px)').matches ? [drawerCode.prepare] : [];
  for (const fetch of [loadToasts, menuCode.prepare, explanationCode.prepare, ...narrow]) {
    // What cannot be had now is fetched when it is asked for.
    await fetch().catch(() => {});
  }
}

function TopBar({ onSearch }: { onSearch: () => void }) {
  const [code, setCode] = useState<typeof import('./menu-drawer.tsx')>();
  const [opened, setOpened] = useState(false);
  const open = () =>
    drawerCode.whenHere((loaded) => {
      setCode(loaded);
      setOpened(true);
    });
  return (
    <header className={styles.top}>
      <Burger className={styles.burger} opened={opened} onClick={open} size="sm" aria-label="Open menu" />
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
      {code !== undefined && <code.MenuDrawer opened={opened} onClose={() => setOpened(false)} />}
    </header>
  );
}
