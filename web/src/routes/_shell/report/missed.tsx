import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import type { MissedSearch } from '../../../features/report/report-search.ts';
import { MissedList } from '../../../features/report/results/missed-list.tsx';
import { LATEST_FIRST } from '../../../lists/list-search.ts';

export const Route = createFileRoute('/_shell/report/missed')({
  // The page parses its search: what is imported here is loaded with the login page.
  validateSearch: (raw: Partial<MissedSearch> & SearchSchemaInput): Partial<MissedSearch> => raw,
  search: { middlewares: [stripSearchParams(LATEST_FIRST)] },
  component: MissedList,
});
