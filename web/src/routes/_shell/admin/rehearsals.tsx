import { createFileRoute, Navigate, type SearchSchemaInput } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { Rehearsals } from '../../../features/rehearsals/rehearsals-page.tsx';
import { SuperuserOnly } from '../../../features/users/user-role.tsx';
import { BackLink } from '../../../ui/back-link.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';

/** The ids of those that are looked at, with commas between them. */
type Shown = { shown?: string };

export const Route = createFileRoute('/_shell/admin/rehearsals')({
  // The page parses its search: what is imported here is loaded with the login page.
  validateSearch: (raw: Shown & SearchSchemaInput): Shown => raw,
  component: RehearsalsPage,
});

function RehearsalsPage() {
  const { shown = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const ids = useMemo(
    () =>
      String(shown)
        .split(',')
        .filter((id) => id !== ''),
    [shown],
  );
  const onShow = useCallback(
    (next: readonly string[]) =>
      void navigate({ search: next.length === 0 ? {} : { shown: next.join(',') }, resetScroll: false }),
    [navigate],
  );
  return (
    <>
      <PageHeader title="Rehearsals" back={<BackLink to="/admin">Users Management</BackLink>} />
      <SuperuserOnly meanwhile={null} others={<Navigate to="/" replace />}>
        {() => <Rehearsals shown={ids} onShow={onShow} />}
      </SuperuserOnly>
    </>
  );
}
