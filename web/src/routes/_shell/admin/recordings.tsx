import { createFileRoute, Navigate } from '@tanstack/react-router';
import { Recordings } from '../../../features/recordings/recordings.tsx';
import { SuperuserOnly } from '../../../features/users/user-role.tsx';
import { BackLink } from '../../../ui/back-link.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';

export const Route = createFileRoute('/_shell/admin/recordings')({
  component: RecordingsPage,
});

function RecordingsPage() {
  return (
    <>
      <PageHeader title="Recordings" back={<BackLink to="/admin">Users Management</BackLink>} />
      <SuperuserOnly meanwhile={null} others={<Navigate to="/" replace />}>
        {() => <Recordings />}
      </SuperuserOnly>
    </>
  );
}
