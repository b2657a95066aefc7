import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import { useCallback } from 'react';
import { LazyRelationLookBack } from '../../../features/flight-recorder/lazy-relation-look-back.tsx';
import { instantIn, searchAt } from '../../../features/flight-recorder/picked-moment.ts';
import { RelationDetails } from '../../../features/relations/relation-details.tsx';

export const Route = createFileRoute('/_shell/discover/$relationId')({
  validateSearch: ({ at }: { at?: string } & SearchSchemaInput): { at?: string } =>
    typeof at === 'string' ? { at } : {},
  component: RelationPage,
});

function RelationPage() {
  const { relationId } = Route.useParams();
  const { at } = Route.useSearch();
  const navigate = Route.useNavigate();
  const onPick = useCallback(
    (atMs: number | undefined) => void navigate({ search: searchAt(atMs), resetScroll: false }),
    [navigate],
  );
  const lookBack = <LazyRelationLookBack id={relationId} at={instantIn(at)} onPick={onPick} />;
  return <RelationDetails key={relationId} id={relationId} past={{ onPick, lookBack }} />;
}
