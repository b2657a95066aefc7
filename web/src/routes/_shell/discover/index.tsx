import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { RelationList } from '../../../features/relations/relation-list.tsx';
import { NEAREST_FIRST, type RelationSearch, relationSearchFrom } from '../../../features/relations/relation-search.ts';

export const Route = createFileRoute('/_shell/discover/')({
  validateSearch: (raw: Partial<RelationSearch> & SearchSchemaInput) => relationSearchFrom(raw),
  search: { middlewares: [stripSearchParams(NEAREST_FIRST)] },
  component: RelationList,
});
