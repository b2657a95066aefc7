import { createFileRoute, type SearchSchemaInput } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { OpportunityDetails } from '../../../features/opportunities/opportunity-details.tsx';

/** The dialog to open with the page. */
type Ordering = { order?: 'simulate' };

export const Route = createFileRoute('/_shell/arbitrage/$opportunityId')({
  validateSearch: ({ order }: Ordering & SearchSchemaInput): Ordering => (order === 'simulate' ? { order } : {}),
  component: OpportunityPage,
});

function OpportunityPage() {
  const { opportunityId } = Route.useParams();
  const { order } = Route.useSearch();
  const navigate = Route.useNavigate();
  // Out of the address once it is open, so that neither Back nor a reload opens it again.
  const onOpened = useCallback(() => void navigate({ search: {}, replace: true }), [navigate]);
  const asked = useMemo(() => ({ simulation: order === 'simulate', onOpened }), [order, onOpened]);
  return <OpportunityDetails key={opportunityId} id={opportunityId} asked={asked} />;
}
