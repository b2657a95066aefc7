import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { ReportPage } from '../../../features/report/report-page.tsx';
import { REPORT_SEARCH_DEFAULTS, type ReportSearch, reportSearchFrom } from '../../../features/report/report-search.ts';

export const Route = createFileRoute('/_shell/report/')({
  validateSearch: (raw: Partial<ReportSearch> & SearchSchemaInput) => reportSearchFrom(raw),
  search: { middlewares: [stripSearchParams(REPORT_SEARCH_DEFAULTS)] },
  component: ReportRoute,
});

function ReportRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch = useCallback((next: ReportSearch) => void navigate({ search: next, resetScroll: false }), [navigate]);
  return <ReportPage search={search} onSearch={onSearch} />;
}
