import { createLazyRoute } from '@tanstack/react-router';
import { PageHeader } from '../ui/page-header.tsx';

export const Route = createLazyRoute('/desk/items')({ component: ItemsPage });

function ItemsPage() {
  return <PageHeader title="Items Management" />;
}
