import type { Role, User } from '@dutchbook/contract/current-user.ts';
import type { Column } from '../../ui/data-table.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import styles from './user-columns.module.css';

export type UserAction = 'edit' | 'end-sessions' | 'reset-second-factor' | 'delete';

const ROLES: Record<Role, string> = { viewer: 'Viewer', operator: 'User', superuser: 'Superuser' };

type Actions = { myId: string; onChosen: (action: UserAction, user: User) => void };

/** The columns of the list; the own account cannot be edited or deleted. */
export function userColumns({ myId, onChosen }: Actions): readonly Column<User>[] {
  return [
    { key: 'name', header: 'Full name', cell: (user) => <Name of={user} mine={user.id === myId} /> },
    { key: 'email', header: 'Email', wide: true, cell: ({ email }) => <span className={styles.email}>{email}</span> },
    { key: 'role', header: 'Role', cell: ({ role }) => ROLES[role] },
    { key: 'status', header: 'Status', cell: (user) => <Status of={user} /> },
    {
      key: 'actions',
      header: 'Actions',
      align: 'end',
      cell: (user) => (
        <RowMenu
          of={user.email}
          disabled={user.id === myId}
          entries={[
            { label: 'Edit User', icon: 'edit', onChoose: () => onChosen('edit', user) },
            { label: 'End Sessions', icon: 'logout', onChoose: () => onChosen('end-sessions', user) },
            {
              label: 'Reset Second Factor',
              icon: 'refresh',
              onChoose: () => onChosen('reset-second-factor', user),
            },
            { label: 'Delete User', icon: 'trash', tone: 'danger', onChoose: () => onChosen('delete', user) },
          ]}
        />
      ),
    },
  ];
}

function Name({ of: { full_name }, mine }: { of: User; mine: boolean }) {
  return (
    <span className={styles.name}>
      {full_name ? <span>{full_name}</span> : <span className="muted">N/A</span>}
      {mine && <span className={styles.mine}>You</span>}
    </span>
  );
}

function Status({ of: { is_active } }: { of: User }) {
  return <StatusBadge tone={is_active ? 'success' : 'inactive'}>{is_active ? 'Active' : 'Inactive'}</StatusBadge>;
}
