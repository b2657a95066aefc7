import { listBatches } from '@dutchbook/contract/batches.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { batchListKey } from './batch-queries.ts';

/** How many batches there are, or how many of them are at work. */
export function batchCountQuery(filter: { is_active?: true }) {
  const query = { skip: 0, limit: 1, ...filter, sort_by: 'created_at', sort_order: 'desc' } as const;
  return queryOptions({
    queryKey: [...batchListKey, 'count', filter],
    queryFn: async ({ signal }) => (await call(listBatches, { query, signal })).count,
  });
}
