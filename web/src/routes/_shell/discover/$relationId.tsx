import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import { useCallback } from 'react';
import { OpenedLookBack } from '../../../features/flight-recorder/opened-look-back.tsx';
import { instantIn, searchAt } from '../../../features/flight-recorder/picked-moment.ts';
import { RelationDetails } from '../../../features/relations/relation-details.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const RelationLookBack = lazyPart(() =>
  import('../../../features/flight-recorder/relation-look-back.tsx').then((code) => code.RelationLookBack),
);

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
  const moment = instantIn(at);
  const lookBack = (
    <OpenedLookBack at={moment}>
      <RelationLookBack id={relationId} at={moment} onPick={onPick} />
    </OpenedLookBack>
  );
  return <RelationDetails key={relationId} id={relationId} past={{ onPick, lookBack }} />;
}
