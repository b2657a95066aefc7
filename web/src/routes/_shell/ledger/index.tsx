import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { LedgerPage } from '../../../features/ledger/ledger-page.tsx';
import type { LedgerSearch } from '../../../features/ledger/ledger-search.ts';
import { LATEST_FIRST } from '../../../lists/list-search.ts';

export const Route = createFileRoute('/_shell/ledger/')({
  // Read by the page, so that what reads it is not loaded before the login page.
  validateSearch: (raw: Partial<LedgerSearch> & SearchSchemaInput): Partial<LedgerSearch> => raw,
  search: { middlewares: [stripSearchParams(LATEST_FIRST)] },
  component: LedgerPage,
});
