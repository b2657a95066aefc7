import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { ItemList } from '../../features/items/item-list.tsx';
import { pageFrom } from '../../lists/list-search.ts';

export const Route = createFileRoute('/_shell/items')({
  validateSearch: ({ page }: { page?: number } & SearchSchemaInput) => ({ page: pageFrom(page) }),
  search: { middlewares: [stripSearchParams({ page: 1 })] },
  component: ItemsPage,
});

function ItemsPage() {
  const { page } = Route.useSearch();
  const navigate = Route.useNavigate();
  const toPage = useCallback((next: number) => void navigate({ search: { page: next } }), [navigate]);
  return <ItemList page={page} onPage={toPage} />;
}
