import type { User } from '@dutchbook/contract/current-user.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { PagedTable } from '../../lists/paged-table.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { useAsked } from '../../ui/use-asked.ts';
import { type UserAction, userColumns } from './user-columns.tsx';
import { DeleteUserDialog, EditUserDialog, EndSessionsDialog } from './user-dialogs.tsx';
import { PAGE_SIZE, userListQuery } from './user-queries.ts';

const ResetSecondFactorDialog = lazyDialog(() =>
  import('../second-factor/reset-dialog.tsx').then((code) => code.ResetSecondFactorDialog),
);

type UserListProps = { me: User; page: number; onPage: (page: number) => void };

/** All accounts, newest first, and what a superuser does with one. */
export function UserList({ me, page, onPage }: UserListProps) {
  const { asked, ask, close } = useAsked<{ action: UserAction; user: User }>();
  const columns = useMemo(
    () => userColumns({ myId: me.id, onChosen: (action, user) => ask({ action, user }) }),
    [me.id, ask],
  );
  const isAsked = (action: UserAction) => asked?.opened === true && asked.about.action === action;
  return (
    <>
      <PagedTable
        label="Users"
        failure="Error loading users"
        query={useQuery(userListQuery(page))}
        columns={columns}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={onPage}
        onOpen={(user) => user.id !== me.id && ask({ action: 'edit', user })}
      />
      {asked && (
        <>
          <EditUserDialog opened={isAsked('edit')} user={asked.about.user} onClose={close} />
          <EndSessionsDialog opened={isAsked('end-sessions')} user={asked.about.user} onClose={close} />
          <ResetSecondFactorDialog opened={isAsked('reset-second-factor')} user={asked.about.user} onClose={close} />
          <DeleteUserDialog opened={isAsked('delete')} user={asked.about.user} onClose={close} />
        </>
      )}
    </>
  );
}
