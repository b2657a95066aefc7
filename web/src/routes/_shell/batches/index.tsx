import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { BatchList } from '../../../features/batches/batch-list.tsx';
import { BATCH_SEARCH_DEFAULTS, type BatchSearch, batchSearchFrom } from '../../../features/batches/batch-search.ts';

export const Route = createFileRoute('/_shell/batches/')({
  validateSearch: (raw: Partial<BatchSearch> & SearchSchemaInput) => batchSearchFrom(raw),
  search: { middlewares: [stripSearchParams(BATCH_SEARCH_DEFAULTS)] },
  component: BatchesPage,
});

function BatchesPage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch = useCallback((next: BatchSearch) => void navigate({ search: next }), [navigate]);
  return <BatchList search={search} onSearch={onSearch} />;
}
