import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { REPORT_SEARCH_DEFAULTS } from '../../../features/report/report-defaults.ts';
import { ReportPage } from '../../../features/report/report-page.tsx';
import { type ReportSearch, reportSearchFrom } from '../../../features/report/report-search.ts';

export const Route = createFileRoute('/_shell/report/')({
  // The page parses its search: what is imported here is loaded with the login page.
  validateSearch: (raw: Partial<ReportSearch> & SearchSchemaInput): Partial<ReportSearch> => raw,
  search: { middlewares: [stripSearchParams(REPORT_SEARCH_DEFAULTS)] },
  component: ReportRoute,
});

function ReportRoute() {
  const raw = Route.useSearch();
  const search = useMemo(() => reportSearchFrom(raw), [raw]);
  const navigate = Route.useNavigate();
  const onSearch = useCallback((next: ReportSearch) => void navigate({ search: next, resetScroll: false }), [navigate]);
  return <ReportPage search={search} onSearch={onSearch} />;
}
