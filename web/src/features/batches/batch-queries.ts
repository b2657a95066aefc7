import { type Batch, listBatches, readBatch, readBatchOrders, readBatchSummary } from '@dutchbook/contract/batches.ts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { fresher, type Read, readOne, readPage } from '../../app/live/fresher.ts';
import { useLiveEntry, useTopic } from '../../app/live/live.ts';
import { type BatchSearch, filterOf } from './batch-search.ts';

export const PAGE_SIZE = 10;

export const batchListKey = ['batches'] as const;

export function batchListQuery(search: BatchSearch) {
  const { status, isActive, canRetry, opportunityId } = filterOf(search);
  const query = {
    skip: (search.page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
    status,
    is_active: isActive,
    can_retry: canRetry,
    opportunity_id: opportunityId,
    sort_by: search.sortBy,
    sort_order: search.sortOrder,
  };
  return queryOptions({
    queryKey: [...batchListKey, query],
    queryFn: ({ signal }) => readPage(() => call(listBatches, { query, signal })),
    placeholderData: keepPreviousData,
  });
}

/** The newest state of a listed row. */
export function useLatestBatch(row: Read<Batch>): Read<Batch> {
  return fresher(row, useLiveEntry('batch', row.id));
}

/** One batch, as the stream moves it. */
export function useBatch(id: string) {
  useTopic(`batch:${id}`);
  const read = useQuery({
    queryKey: ['batch', id],
    queryFn: ({ signal }) => readOne(() => call(readBatch, { params: { batch_id: id }, signal })),
  });
  const live = useLiveEntry('batch', id);
  return { ...read, batch: read.data && fresher(read.data, live) };
}

/** The orders of a batch; each row follows the stream by itself. */
export function batchOrdersQuery(id: string) {
  return queryOptions({
    queryKey: ['batch', id, 'orders'],
    queryFn: ({ signal }) => readPage(() => call(readBatchOrders, { params: { batch_id: id }, signal })),
  });
}

/** Read again whenever the batch reaches another state, because the stream does not carry it. */
export function batchSummaryQuery({ id, status, total_orders, actual_profit_usd }: Batch) {
  return queryOptions({
    queryKey: ['batch', id, 'summary', status, total_orders, actual_profit_usd],
    queryFn: ({ signal }) => call(readBatchSummary, { params: { batch_id: id }, signal }),
    placeholderData: keepPreviousData,
  });
}
