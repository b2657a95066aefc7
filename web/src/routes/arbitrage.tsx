import { useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { JobProgress } from '../features/jobs/job-progress.tsx';
import { OpportunityList } from '../features/opportunities/opportunity-list.tsx';
import { opportunityListKey } from '../features/opportunities/opportunity-queries.ts';
import type { OpportunitySearch } from '../features/opportunities/opportunity-search.ts';

export const Route = createLazyRoute('/desk/arbitrage')({ component: ArbitragePage });

const route = getRouteApi('/desk/arbitrage');

function ArbitragePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const onSearch = useCallback((next: OpportunitySearch) => void navigate({ search: next }), [navigate]);
  const readAgain = useCallback(() => void client.invalidateQueries({ queryKey: opportunityListKey }), [client]);
  return <OpportunityList search={search} onSearch={onSearch} progress={<JobProgress onFinished={readAgain} />} />;
}
