import '@mantine/core/styles/Tabs.layer.css';
import type { User } from '@dutchbook/contract/current-user.ts';
import { modeOf } from '@dutchbook/contract/status.ts';
import { Button, Tabs } from '@mantine/core';
import { createFileRoute, Link, Navigate, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { AllTokens } from '../../../features/api-tokens/all-tokens.tsx';
import { AuditLog } from '../../../features/audit/audit-log.tsx';
import { type AdminSearch, type AuditFilter, adminSearchFrom, filterOf } from '../../../features/audit/audit-search.ts';
import { useSystemStatus } from '../../../features/status/system-status.ts';
import { AddUserDialog } from '../../../features/users/user-dialogs.tsx';
import { UserList } from '../../../features/users/user-list.tsx';
import { SuperuserOnly } from '../../../features/users/user-role.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';

export const Route = createFileRoute('/_shell/admin/')({
  // The page parses its search: what is imported here is loaded with the login page.
  validateSearch: (raw: Partial<AdminSearch> & SearchSchemaInput): Partial<AdminSearch> => raw,
  search: { middlewares: [stripSearchParams({ page: 1 })] },
  component: AdminPage,
});

function AdminPage() {
  return (
    <SuperuserOnly meanwhile={<PageHeader title="Users Management" />} others={<Navigate to="/" replace />}>
      {(me) => <Admin me={me} />}
    </SuperuserOnly>
  );
}

function Admin({ me }: { me: User }) {
  const navigate = Route.useNavigate();
  const [adding, setAdding] = useState(false);
  const status = useSystemStatus();
  const isSimulated = status !== undefined && modeOf(status.venue).world === 'simulated';
  const onAdded = useCallback(() => void navigate({ search: { page: 1 } }), [navigate]);
  return (
    <>
      <PageHeader
        title="Users Management"
        actions={
          <>
            <Button variant="default" renderRoot={(props) => <Link to="/admin/system-settings" {...props} />}>
              System Settings
            </Button>
            <Button variant="default" renderRoot={(props) => <Link to="/admin/sign-offs" {...props} />}>
              Sign-Offs
            </Button>
            <Button variant="default" renderRoot={(props) => <Link to="/admin/recordings" {...props} />}>
              Recordings
            </Button>
            <Button variant="default" renderRoot={(props) => <Link to="/admin/rehearsals" {...props} />}>
              Rehearsals
            </Button>
            {isSimulated && (
              <Button variant="default" renderRoot={(props) => <Link to="/admin/simulator" {...props} />}>
                Simulator
              </Button>
            )}
            <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
              Add User
            </Button>
          </>
        }
      />
      <AdminTabs me={me} />
      <AddUserDialog opened={adding} onClose={() => setAdding(false)} onAdded={onAdded} />
    </>
  );
}

const TABS = ['users', 'tokens', 'audit'] as const;

function AdminTabs({ me }: { me: User }) {
  const raw = Route.useSearch();
  const search = useMemo(() => adminSearchFrom(raw), [raw]);
  const navigate = Route.useNavigate();
  const onPage = useCallback((page: number) => void navigate({ search: { ...search, page } }), [navigate, search]);
  const onFilter = (filter: AuditFilter) => void navigate({ search: { tab: 'audit', page: 1, ...filter } });
  const tab = TABS.find((known) => known === search.tab) ?? 'users';
  const onTab = (chosen: string | null) =>
    void navigate({ search: chosen === null || chosen === 'users' ? { page: 1 } : { tab: chosen, page: 1 } });
  return (
    <Tabs value={tab} onChange={onTab} keepMounted={false}>
      <Tabs.List mb={14}>
        <Tabs.Tab value="users">Users</Tabs.Tab>
        <Tabs.Tab value="tokens">API Tokens</Tabs.Tab>
        <Tabs.Tab value="audit">Audit Log</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="users">
        <UserList me={me} page={search.page} onPage={onPage} />
      </Tabs.Panel>
      <Tabs.Panel value="tokens">
        <AllTokens page={search.page} onPage={onPage} />
      </Tabs.Panel>
      <Tabs.Panel value="audit">
        <AuditLog filter={filterOf(search)} page={search.page} onFilter={onFilter} onPage={onPage} />
      </Tabs.Panel>
    </Tabs>
  );
}
