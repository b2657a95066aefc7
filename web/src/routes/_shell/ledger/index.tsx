import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { LedgerPage } from '../../../features/ledger/ledger-page.tsx';
import { LEDGER_SEARCH_DEFAULTS, type LedgerSearch, ledgerSearchFrom } from '../../../features/ledger/ledger-search.ts';

export const Route = createFileRoute('/_shell/ledger/')({
  validateSearch: (raw: Partial<LedgerSearch> & SearchSchemaInput) => ledgerSearchFrom(raw),
  search: { middlewares: [stripSearchParams(LEDGER_SEARCH_DEFAULTS)] },
  component: LedgerRoute,
});

function LedgerRoute() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch = useCallback((next: LedgerSearch) => void navigate({ search: next }), [navigate]);
  return <LedgerPage search={search} onSearch={onSearch} />;
}
