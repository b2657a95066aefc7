import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { RESULT_SEARCH_DEFAULTS } from '../../../features/report/report-defaults.ts';
import type { ResultSearch } from '../../../features/report/report-search.ts';
import { ResultList } from '../../../features/report/results/result-list.tsx';

export const Route = createFileRoute('/_shell/report/batches')({
  // The page parses its search: what is imported here is loaded with the login page.
  validateSearch: (raw: Partial<ResultSearch> & SearchSchemaInput): Partial<ResultSearch> => raw,
  search: { middlewares: [stripSearchParams(RESULT_SEARCH_DEFAULTS)] },
  component: ResultList,
});
