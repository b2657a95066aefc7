import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { BatchList } from '../features/batches/batch-list.tsx';
import type { BatchSearch } from '../features/batches/batch-search.ts';

export const Route = createLazyRoute('/desk/batches')({ component: BatchesPage });

const route = getRouteApi('/desk/batches');

function BatchesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const onSearch = useCallback((next: BatchSearch) => void navigate({ search: next }), [navigate]);
  return <BatchList search={search} onSearch={onSearch} />;
}
