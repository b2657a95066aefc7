import { createLazyRoute } from '@tanstack/react-router';
import { PageHeader } from '../ui/page-header.tsx';

export const Route = createLazyRoute('/desk/admin')({ component: AdminPage });

function AdminPage() {
  return <PageHeader title="Users Management" />;
}
