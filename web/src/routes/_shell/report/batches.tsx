import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { RESULT_SEARCH_DEFAULTS, type ResultSearch, resultSearchFrom } from '../../../features/report/report-search.ts';
import { ResultList } from '../../../features/report/results/result-list.tsx';

export const Route = createFileRoute('/_shell/report/batches')({
  validateSearch: (raw: Partial<ResultSearch> & SearchSchemaInput) => resultSearchFrom(raw),
  search: { middlewares: [stripSearchParams(RESULT_SEARCH_DEFAULTS)] },
  component: ResultsPage,
});

function ResultsPage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch = useCallback((next: ResultSearch) => void navigate({ search: next }), [navigate]);
  return <ResultList search={search} onSearch={onSearch} />;
}
