import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { opportunityListKey } from './opportunity-queries.ts';

/** How many opportunities there are, or how many of them are triggered. */
export function opportunityCountQuery(filter: { triggered?: true }) {
  const query = { skip: 0, limit: 1, ...filter, sort_by: 'created_at', sort_order: 'desc' } as const;
  return queryOptions({
    queryKey: [...opportunityListKey, 'count', filter],
    queryFn: async ({ signal }) => (await call(listOpportunities, { query, signal })).count,
  });
}
