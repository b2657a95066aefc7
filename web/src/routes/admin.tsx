import '@mantine/core/styles/Tabs.layer.css';
import type { User } from '@dutchbook/contract/users.ts';
import { Button, Skeleton, Tabs } from '@mantine/core';
import { createLazyRoute, getRouteApi, Link, Navigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { type AuditFilter, filterOf } from '../features/audit/audit-search.ts';
import { UserList } from '../features/users/user-list.tsx';
import { SuperuserOnly } from '../features/users/user-role.tsx';
import { Icon } from '../ui/icons.tsx';
import { lateDialog, latePart } from '../ui/late-part.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import styles from './admin.module.css';

export const Route = createLazyRoute('/desk/admin')({ component: AdminPage });

const route = getRouteApi('/desk/admin');

const AddUserDialog = lateDialog(() =>
  import('../features/users/user-add-dialog.tsx').then((code) => code.AddUserDialog),
);
const AuditLog = latePart(
  () => import('../features/audit/audit-log.tsx').then((code) => code.AuditLog),
  <Skeleton height={420} />,
);

function AdminPage() {
  return (
    <SuperuserOnly meanwhile={<PageHeader title="Users Management" />} others={<Navigate to="/" replace />}>
      {(me) => <Admin me={me} />}
    </SuperuserOnly>
  );
}

function Admin({ me }: { me: User }) {
  const navigate = route.useNavigate();
  const [adding, setAdding] = useState(false);
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

function AdminTabs({ me }: { me: User }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onPage = useCallback((page: number) => void navigate({ search: { ...search, page } }), [navigate, search]);
  const onFilter = (filter: AuditFilter) => void navigate({ search: { tab: 'audit', page: 1, ...filter } });
  const onTab = (tab: string | null) => void navigate({ search: tab === 'audit' ? { tab, page: 1 } : { page: 1 } });
  return (
    <Tabs value={search.tab === 'audit' ? 'audit' : 'users'} onChange={onTab} keepMounted={false}>
      <Tabs.List className={styles.tabs}>
        <Tabs.Tab value="users">Users</Tabs.Tab>
        <Tabs.Tab value="audit">Audit Log</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="users">
        <UserList me={me} page={search.page} onPage={onPage} />
      </Tabs.Panel>
      <Tabs.Panel value="audit">
        <AuditLog filter={filterOf(search)} page={search.page} onFilter={onFilter} onPage={onPage} />
      </Tabs.Panel>
    </Tabs>
  );
}
