import { lastSearch } from '../../lists/list-search.ts';
import { BackLink } from '../../ui/back-link.tsx';
import type { RelationSearch } from './relation-search.ts';

export function BackToList() {
  const search = lastSearch<RelationSearch>('relations');
  return (
    <BackLink to="/discover" search={search}>
      Discover
    </BackLink>
  );
}
