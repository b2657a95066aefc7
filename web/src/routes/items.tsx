import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { ItemList } from '../features/items/item-list.tsx';

export const Route = createLazyRoute('/desk/items')({ component: ItemsPage });

const route = getRouteApi('/desk/items');

function ItemsPage() {
  const { page } = route.useSearch();
  const navigate = route.useNavigate();
  const toPage = useCallback((next: number) => void navigate({ search: { page: next } }), [navigate]);
  return <ItemList page={page} onPage={toPage} />;
}
