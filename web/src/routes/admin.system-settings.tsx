import { createLazyRoute } from '@tanstack/react-router';
import { PageHeader } from '../ui/page-header.tsx';

export const Route = createLazyRoute('/desk/admin/system-settings')({ component: SystemSettingsPage });

function SystemSettingsPage() {
  return <PageHeader title="System Settings" />;
}
