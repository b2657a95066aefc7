import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { RelationList } from '../../../features/relations/relation-list.tsx';
import {
  RELATION_SEARCH_DEFAULTS,
  type RelationSearch,
  relationSearchFrom,
} from '../../../features/relations/relation-search.ts';

export const Route = createFileRoute('/_shell/discover/')({
  validateSearch: (raw: Partial<RelationSearch> & SearchSchemaInput) => relationSearchFrom(raw),
  search: { middlewares: [stripSearchParams(RELATION_SEARCH_DEFAULTS)] },
  component: DiscoverPage,
});

function DiscoverPage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch = useCallback((next: RelationSearch) => void navigate({ search: next }), [navigate]);
  return <RelationList search={search} onSearch={onSearch} />;
}
