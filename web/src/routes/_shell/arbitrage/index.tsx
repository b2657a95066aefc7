import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { JobProgress } from '../../../features/jobs/job-progress.tsx';
import { OpportunityList } from '../../../features/opportunities/opportunity-list.tsx';
import { opportunityListKey } from '../../../features/opportunities/opportunity-queries.ts';
import {
  OPPORTUNITY_SEARCH_DEFAULTS,
  type OpportunitySearch,
  opportunitySearchFrom,
} from '../../../features/opportunities/opportunity-search.ts';

export const Route = createFileRoute('/_shell/arbitrage/')({
  validateSearch: (raw: Partial<OpportunitySearch> & SearchSchemaInput) => opportunitySearchFrom(raw),
  search: { middlewares: [stripSearchParams(OPPORTUNITY_SEARCH_DEFAULTS)] },
  component: ArbitragePage,
});

function ArbitragePage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const client = useQueryClient();
  const onSearch = useCallback((next: OpportunitySearch) => void navigate({ search: next }), [navigate]);
  const readAgain = useCallback(() => void client.invalidateQueries({ queryKey: opportunityListKey }), [client]);
  return <OpportunityList search={search} onSearch={onSearch} progress={<JobProgress onFinished={readAgain} />} />;
}
