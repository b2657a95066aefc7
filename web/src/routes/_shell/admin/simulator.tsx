import { createFileRoute, Navigate } from '@tanstack/react-router';
import { SimulatorPage } from '../../../features/simulator/simulator-page.tsx';
import { SuperuserOnly } from '../../../features/users/user-role.tsx';
import { BackLink } from '../../../ui/back-link.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';

export const Route = createFileRoute('/_shell/admin/simulator')({
  component: SimulatorRoute,
});

function SimulatorRoute() {
  return (
    <>
      <PageHeader title="Simulator" back={<BackLink to="/admin">Users Management</BackLink>} />
      <SuperuserOnly meanwhile={null} others={<Navigate to="/" replace />}>
        {() => <SimulatorPage />}
      </SuperuserOnly>
    </>
  );
}
