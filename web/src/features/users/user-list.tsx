import type { User } from '@dutchbook/contract/users.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ErrorBar } from '../../ui/states.tsx';
import { usePageThatExists } from '../../ui/use-page-that-exists.ts';
import { type UserAction, userColumns } from './user-columns.tsx';
import { DeleteUserDialog } from './user-delete-dialog.tsx';
import { EditUserDialog } from './user-edit-dialog.tsx';
import { PAGE_SIZE, userListQuery } from './user-queries.ts';

type UserListProps = { me: User; page: number; onPage: (page: number) => void };

/** All accounts, newest first, and what a superuser does with one. */
export function UserList({ me, page, onPage }: UserListProps) {
  const [chosen, setChosen] = useState<User>();
  const [opened, setOpened] = useState<UserAction>();
  const onChosen = useCallback((action: UserAction, user: User) => {
    setChosen(user);
    setOpened(action);
  }, []);
  const columns = useMemo(() => userColumns({ myId: me.id, onChosen }), [me.id, onChosen]);
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(userListQuery(page));
  usePageThatExists({ page, pageSize: PAGE_SIZE, count: data?.count, onPage });
  const onClose = () => setOpened(undefined);
  return (
    <>
      {error && <ErrorBar text={`Error loading users: ${errorText(error)}`} onRetry={refetch} retrying={isFetching} />}
      {(data !== undefined || error === null) && (
        <DataTable
          label="Users"
          columns={columns}
          rows={data?.data}
          skeletonRows={PAGE_SIZE}
          busy={isPlaceholderData}
          onOpen={(user) => user.id !== me.id && onChosen('edit', user)}
        />
      )}
      {data && <Pager page={page} pageSize={PAGE_SIZE} count={data.count} onPage={onPage} />}
      {chosen && (
        <>
          <EditUserDialog opened={opened === 'edit'} user={chosen} onClose={onClose} />
          <DeleteUserDialog opened={opened === 'delete'} user={chosen} onClose={onClose} />
        </>
      )}
    </>
  );
}
