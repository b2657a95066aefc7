import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { OpportunityDetails } from '../features/opportunities/opportunity-details.tsx';

export const Route = createLazyRoute('/desk/arbitrage/$opportunityId')({ component: OpportunityPage });

const route = getRouteApi('/desk/arbitrage/$opportunityId');

function OpportunityPage() {
  const { opportunityId } = route.useParams();
  const { order } = route.useSearch();
  const navigate = route.useNavigate();
  // Out of the address once it is open, so that neither Back nor a reload opens it again.
  const onOpened = useCallback(() => void navigate({ search: {}, replace: true }), [navigate]);
  const asked = useMemo(() => ({ simulation: order === 'simulate', onOpened }), [order, onOpened]);
  return <OpportunityDetails key={opportunityId} id={opportunityId} asked={asked} />;
}
