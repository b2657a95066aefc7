import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { OpportunityDetails } from '../features/opportunities/opportunity-details.tsx';

export const Route = createLazyRoute('/desk/arbitrage/$opportunityId')({ component: OpportunityPage });

const route = getRouteApi('/desk/arbitrage/$opportunityId');

function OpportunityPage() {
  const { opportunityId } = route.useParams();
  return <OpportunityDetails key={opportunityId} id={opportunityId} />;
}
