import './styles/app-shell.css';
import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import { UnstyledButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { useEffect, useRef, useState } from 'react';
import { sayPlainly } from '../calls/api-error.ts';
import { keepInStep } from '../calls/other-tabs.ts';
import { readAgain } from '../calls/read-again.ts';
import { ActivityLine } from '../features/activity/activity-line.tsx';
import { ArmingControl } from '../features/arming/arming-control.tsx';
import { AttentionSignals } from '../features/attention/attention-signals.tsx';
import { NotificationToasts } from '../features/notifications/notification-toasts.tsx';
import { NeedsCount } from '../features/overview/needs-count.tsx';
import { FactorNotice } from '../features/second-factor/factor-notice.tsx';
import { ProofAsker } from '../features/second-factor/proof-asker.tsx';
import { useUserRemembered } from '../features/session/current-user.ts';
import { UserMenu } from '../features/session/user-menu.tsx';
import { ViewerRefusal } from '../features/session/viewer-refusal.tsx';
import { OfflineBanner } from '../features/status/offline-banner.tsx';
import { ReplayLook } from '../features/status/replay-look.tsx';
import { StatusStrip } from '../features/status/status-strip.tsx';
import { useVenuesRemembered } from '../features/status/system-status.ts';
import { LiveContext } from '../live/live.ts';
import { createLive, keepOpen } from '../live/open-live.ts';
import { Icon } from '../ui/icons.tsx';
import { lazyDialog } from '../ui/lazy-dialog.tsx';
import { Later } from '../ui/use-in-slices.ts';
import styles from './app-shell.module.css';
import { COMMAND_KEY } from './command-key.ts';
import { Navigation } from './navigation.tsx';
import { ShellKeys, type ShellKeysHandle } from './shell-keys.tsx';
import { styleNonce } from './style-nonce.ts';

const MenuDrawer = lazyDialog(() => import('./menu-drawer.tsx').then((code) => code.MenuDrawer));

// The scroll lock of Mantine's dialogs writes a style element, which the content security policy refuses without the nonce.
setNonce(styleNonce());

sayPlainly(plainWords);

/** What stands around every page of a signed-in user; it opens the tab's one live connection. */
export function AppShell() {
  const client = useQueryClient();
  const [live] = useState(() => createLive(() => void readAgain(client)));
  useEffect(() => keepOpen(live), [live]);
  useEffect(() => keepInStep(client), [client]);
  const keys = useRef<ShellKeysHandle>(null);
  return (
    <LiveContext value={live}>
      <ViewerRefusal>
        <a href="#content" className={styles.skip}>
          Skip to content
        </a>
        <TopBar onSearch={() => keys.current?.openPalette()} />
        <OfflineBanner />
        <FactorNotice />
        <NotificationToasts />
        <NeedsCount />
        <AttentionSignals />
        <aside className={styles.side}>
          <Later>
            <Navigation />
          </Later>
        </aside>
        <main id="content" className={styles.main} tabIndex={-1}>
          <div className={styles.content}>
            <ActivityLine />
            <Later>
              <Outlet />
              <Drawn onDrawn={live.onDrawn} />
            </Later>
          </div>
          <div id="overlays" />
        </main>
        <ReplayLook />
        <ShellKeys ref={keys} />
        <ProofAsker />
      </ViewerRefusal>
    </LiveContext>
  );
}

/** Its effect comes after those of the page before it. */
function Drawn({ onDrawn }: { onDrawn: () => void }) {
  useEffect(onDrawn, [onDrawn]);
  return null;
}

function TopBar({ onSearch }: { onSearch: () => void }) {
  useUserRemembered();
  useVenuesRemembered();
  const [opened, setOpened] = useState(false);
  return (
    <header className={styles.top}>
      <UnstyledButton className={styles.menu} aria-label="Open menu" onClick={() => setOpened(true)}>
        <Icon name="menu" size={22} />
      </UnstyledButton>
      <Link to="/" className={styles.brand} aria-label="Dutchbook">
        <img src="/favicon.svg" alt="" width={26} height={26} />
        <span>Dutchbook</span>
      </Link>
      <UnstyledButton
        className={styles.search}
        aria-label={`Search ${COMMAND_KEY.shown}`}
        aria-keyshortcuts={COMMAND_KEY.aria}
        onClick={onSearch}
      >
        <Icon name="search" size={16} />
        {/* Read as one text, like the label: without the space the two words would be joined. */}
        <span>Search</span> <kbd>{COMMAND_KEY.shown}</kbd>
      </UnstyledButton>
      <div className={styles.status}>
        <StatusStrip>
          <ArmingControl />
        </StatusStrip>
      </div>
      <UserMenu />
      <MenuDrawer opened={opened} onClose={() => setOpened(false)} />
    </header>
  );
}
