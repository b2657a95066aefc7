import { createFileRoute } from '@tanstack/react-router';
import {
  AccessDenied,
  LoadingSettings,
  SystemSettings,
  SystemSettingsHeader,
} from '../../../features/system-settings/system-settings.tsx';
import { SuperuserOnly } from '../../../features/users/user-role.tsx';

export const Route = createFileRoute('/_shell/admin/system-settings')({
  component: SystemSettingsPage,
});

function SystemSettingsPage() {
  const meanwhile = (
    <>
      <SystemSettingsHeader />
      <LoadingSettings />
    </>
  );
  return (
    <SuperuserOnly meanwhile={meanwhile} others={<AccessDenied />}>
      {() => <SystemSettings />}
    </SuperuserOnly>
  );
}
