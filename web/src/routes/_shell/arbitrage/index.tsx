import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { JobProgress } from '../../../features/jobs/job-progress.tsx';
import { OpportunityList } from '../../../features/opportunities/opportunity-list.tsx';
import { opportunityListKey } from '../../../features/opportunities/opportunity-queries.ts';
import {
  MOST_DOLLARS_FIRST,
  type OpportunitySearch,
  opportunitySearchFrom,
} from '../../../features/opportunities/opportunity-search.ts';

export const Route = createFileRoute('/_shell/arbitrage/')({
  validateSearch: (raw: Partial<OpportunitySearch> & SearchSchemaInput) => opportunitySearchFrom(raw),
  search: { middlewares: [stripSearchParams(MOST_DOLLARS_FIRST)] },
  component: ArbitragePage,
});

function ArbitragePage() {
  const client = useQueryClient();
  const readAgain = useCallback(() => void client.invalidateQueries({ queryKey: opportunityListKey }), [client]);
  return <OpportunityList progress={<JobProgress onFinished={readAgain} />} />;
}
