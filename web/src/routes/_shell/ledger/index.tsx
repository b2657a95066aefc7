import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { LEDGER_SEARCH_DEFAULTS } from '../../../features/ledger/ledger-defaults.ts';
import { LedgerPage } from '../../../features/ledger/ledger-page.tsx';
import type { LedgerSearch } from '../../../features/ledger/ledger-search.ts';

export const Route = createFileRoute('/_shell/ledger/')({
  // Read by the page, so that what reads it is not loaded before the login page.
  validateSearch: (raw: Partial<LedgerSearch> & SearchSchemaInput): Partial<LedgerSearch> => raw,
  search: { middlewares: [stripSearchParams(LEDGER_SEARCH_DEFAULTS)] },
  component: LedgerPage,
});
