import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { LedgerPage } from '../../../features/ledger/ledger-page.tsx';
import type { LedgerSearch } from '../../../features/ledger/ledger-search.ts';
import { LATEST_FIRST } from '../../../lists/list-search.ts';

export const Route = createFileRoute('/_shell/ledger/')({
  // The page parses its search: what is imported here is loaded with the login page.
  validateSearch: (raw: Partial<LedgerSearch> & SearchSchemaInput): Partial<LedgerSearch> => raw,
  search: { middlewares: [stripSearchParams(LATEST_FIRST)] },
  component: LedgerPage,
});
