import '@mantine/core/styles/Tabs.layer.css';
import type { User } from '@dutchbook/contract/current-user.ts';
import { Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import { type ComponentType, useRef } from 'react';
import { LoadError } from '../../calls/loaded.tsx';
import { AlertsPanel } from '../../features/alerts/alert-list.tsx';
import { TokensPanel } from '../../features/api-tokens/tokens-panel.tsx';
import { AttentionPanel } from '../../features/attention/attention-panel.tsx';
import { SendingCard } from '../../features/notifications/sending-card.tsx';
import { SecondFactorPanel } from '../../features/second-factor/lazy-second-factor-panel.tsx';
import { currentUserQuery } from '../../features/session/current-user.ts';
import { SessionsPanel } from '../../features/session/sessions-panel.tsx';
import { AppearancePanel } from '../../features/users/appearance-panel.tsx';
import { DeleteAccountPanel } from '../../features/users/delete-account-panel.tsx';
import { PasswordPanel } from '../../features/users/password-panel.tsx';
import { ProfilePanel } from '../../features/users/profile-panel.tsx';
import { UnsavedChanges } from '../../forms/unsaved-changes.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import styles from './settings.module.css';

export const Route = createFileRoute('/_shell/settings')({
  validateSearch: ({ tab }: { tab?: string | undefined } & SearchSchemaInput) => ({
    tab: typeof tab === 'string' ? tab : undefined,
  }),
  component: SettingsPage,
});

type Tab = {
  name: string;
  label: string;
  Panel: ComponentType<{ user: User }>;
  /** What has been typed into it outlasts a look at another tab. */
  keepsDraft?: true;
  /** It draws its own frame. */
  isFramed?: true;
};

const FIRST_TAB: Tab = { name: 'profile', label: 'My profile', Panel: ProfilePanel, keepsDraft: true };
const DANGER_ZONE: Tab = { name: 'danger', label: 'Danger zone', Panel: DeleteAccountPanel };
const TELEGRAM: Tab = { name: 'telegram', label: 'Telegram', Panel: SendingCard, keepsDraft: true, isFramed: true };
const TABS: readonly Tab[] = [
  FIRST_TAB,
  { name: 'password', label: 'Password', Panel: PasswordPanel },
  { name: 'second-factor', label: 'Second factor', Panel: SecondFactorPanel },
  { name: 'sessions', label: 'Sessions', Panel: SessionsPanel },
  { name: 'api-tokens', label: 'API tokens', Panel: TokensPanel },
  { name: 'appearance', label: 'Appearance', Panel: AppearancePanel },
  { name: 'notifications', label: 'Notifications', Panel: NotificationsTab, isFramed: true },
];

/** Notifications of this user; the Telegram tab is about the whole desk. */
function NotificationsTab() {
  return (
    <div className="stack">
      <AttentionPanel />
      <AlertsPanel />
    </div>
  );
}

function SettingsPage() {
  const read = useQuery(currentUserQuery);
  const user = read.data;
  return (
    <>
      <PageHeader title="User Settings" />
      {user !== undefined && <SettingsTabs user={user} />}
      <UnsavedChanges />
      {user === undefined && read.error === null && <Skeleton height={180} />}
      {user === undefined && <LoadError of={read} text="Error loading your profile" inline />}
    </>
  );
}

function SettingsTabs({ user }: { user: User }) {
  const { tab } = Route.useSearch();
  const navigate = Route.useNavigate();
  const tabs = [...TABS, user.is_superuser ? TELEGRAM : DANGER_ZONE];
  const { name: open } = tabs.find(({ name }) => name === tab) ?? FIRST_TAB;
  const shown = useRef(new Set<string>()).current.add(open);
  const onTab = (chosen: string | null) => {
    const search = chosen === null || chosen === FIRST_TAB.name ? {} : { tab: chosen };
    void navigate({ search, replace: true });
  };
  return (
    <Tabs value={open} onChange={onTab} keepMounted={false}>
      <Tabs.List aria-label="User Settings" mb={16}>
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name} className={styles.tab}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, Panel, keepsDraft = false, isFramed = false }) => (
        <Tabs.Panel
          key={name}
          value={name}
          keepMounted={keepsDraft && shown.has(name)}
          className={isFramed ? styles.framed : styles.panel}
        >
          <Panel user={user} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
