import { createLazyRoute } from '@tanstack/react-router';
import { PageHeader } from '../ui/page-header.tsx';

export const Route = createLazyRoute('/desk/settings')({ component: SettingsPage });

function SettingsPage() {
  return <PageHeader title="User Settings" />;
}
