import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { OpenedLookBack } from '../../../features/flight-recorder/opened-look-back.tsx';
import { instantIn, searchAt } from '../../../features/flight-recorder/picked-moment.ts';
import { OpportunityDetails } from '../../../features/opportunities/opportunity-details.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const OpportunityLookBack = lazyPart(() =>
  import('../../../features/flight-recorder/opportunity-look-back.tsx').then((code) => code.OpportunityLookBack),
);

/** The dialog to open with the page, and the moment of the past to look at, in ISO 8601. */
type Ordering = { order?: 'simulate' | 'place'; at?: string };

export const Route = createFileRoute('/_shell/arbitrage/$opportunityId')({
  validateSearch: ({ order, at }: Ordering & SearchSchemaInput): Ordering => ({
    ...((order === 'simulate' || order === 'place') && { order }),
    ...(typeof at === 'string' && { at }),
  }),
  component: OpportunityPage,
});

function OpportunityPage() {
  const { opportunityId } = Route.useParams();
  const { order, at } = Route.useSearch();
  const navigate = Route.useNavigate();
  // Out of the address once it is open, so that neither Back nor a reload opens it again.
  const onOpened = useCallback(
    () => void navigate({ search: ({ order: _done, ...kept }) => kept, replace: true }),
    [navigate],
  );
  const asked = useMemo(() => ({ intent: order, onOpened }), [order, onOpened]);
  const onPick = useCallback(
    (atMs: number | undefined) => void navigate({ search: searchAt(atMs), resetScroll: false }),
    [navigate],
  );
  const moment = instantIn(at);
  const lookBack = (
    <OpenedLookBack at={moment}>
      <OpportunityLookBack id={opportunityId} at={moment} onPick={onPick} />
    </OpenedLookBack>
  );
  return <OpportunityDetails key={opportunityId} id={opportunityId} asked={asked} past={{ onPick, lookBack }} />;
}
