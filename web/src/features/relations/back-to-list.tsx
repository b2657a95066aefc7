import { lastSearch } from '../../lists/list-search.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { RELATION_SEARCH_DEFAULTS, type RelationSearch } from './relation-search.ts';

export function BackToList() {
  const search = lastSearch<RelationSearch>('relations') ?? RELATION_SEARCH_DEFAULTS;
  return (
    <BackLink to="/discover" search={search}>
      Discover
    </BackLink>
  );
}
