import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { MISSED_SEARCH_DEFAULTS } from '../../../features/report/report-defaults.ts';
import type { MissedSearch } from '../../../features/report/report-search.ts';
import { MissedList } from '../../../features/report/results/missed-list.tsx';

export const Route = createFileRoute('/_shell/report/missed')({
  // Read by the page, so that what reads it is not loaded before the login page.
  validateSearch: (raw: Partial<MissedSearch> & SearchSchemaInput): Partial<MissedSearch> => raw,
  search: { middlewares: [stripSearchParams(MISSED_SEARCH_DEFAULTS)] },
  component: MissedList,
});
