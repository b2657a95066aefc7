import {
  type Batch,
  type ListedBatch,
  listBatches,
  readBatch,
  readBatchOrders,
  readBatchSummary,
} from '@dutchbook/contract/batches.ts';
import { readBatchMetrics, readBatchTimeline } from '@dutchbook/contract/execution.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../calls/call.ts';
import { callQuery } from '../../calls/call-query.ts';
import { readAgain } from '../../calls/read-again.ts';
import { isLetThrough } from '../../lists/list-search.ts';
import { fresher, type Read, readOne, readPage } from '../../live/fresher.ts';
import { useLiveEntry, useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { useInSlices } from '../../ui/use-in-slices.ts';
import type { BatchFilter } from './batch-search.ts';

export const batchListKey = ['batches'] as const;

/** Whether the server lists `batch` under this filter; as far as a batch can tell; what a simulated or sold one lacks puts nothing at risk. */
export function matchesFilter(
  batch: Batch,
  { status, isActive, canRetry, unhedged, firstClips, opportunityId }: BatchFilter,
): boolean {
  const isExposed = batch.unhedged !== null && !batch.simulated && batch.status !== 'sold';
  return (
    isLetThrough(status, batch.status) &&
    isLetThrough(isActive, batch.is_active) &&
    isLetThrough(canRetry, batch.can_retry) &&
    isLetThrough(unhedged, isExposed) &&
    isLetThrough(firstClips, batch.series_id === null || batch.series_id === batch.id) &&
    isLetThrough(opportunityId?.toLowerCase(), batch.opportunity_id)
  );
}

/** The newest state of a listed row. */
export function useLatestBatch(row: Read<ListedBatch>, isNear: boolean): Read<ListedBatch> {
  return fresher(row, useLiveEntry('batch', row.id, isNear));
}

export const batchKey = (id: string) => ['batch', id] as const;

/** What unwinding would cost moves with the books, and the stream does not tell of that. */
const UNHEDGED_INTERVAL_MS = 5_000;

/** One batch, as the stream moves it. */
export function useBatch(id: string) {
  useTopic(`batch:${id}`);
  const read = useQuery({
    queryKey: batchKey(id),
    queryFn: ({ signal }) => readOne(() => call(readBatch, { params: { batch_id: id }, signal })),
    refetchInterval: ({ state }) => (state.data?.unhedged ? UNHEDGED_INTERVAL_MS : false),
  });
  const live = useLiveEntry('batch', id);
  return { ...read, batch: useInSlices(read.data && fresher(read.data, live)) };
}

/** The orders of a batch; each row follows the stream by itself. */
export function batchOrdersQuery(id: string) {
  return queryOptions({
    queryKey: [...batchKey(id), 'orders'],
    queryFn: ({ signal }) => readPage(() => call(readBatchOrders, { params: { batch_id: id }, signal })),
  });
}

/** CLIPS_MAX goes no further. */
const CLIPS_SHOWN_MAX = 100;

/** The clips of a series, in their order. */
export function clipsQuery(seriesId: string) {
  const query = {
    series_id: seriesId,
    skip: 0,
    limit: CLIPS_SHOWN_MAX,
    sort_by: 'clip_number',
    sort_order: 'asc',
  } as const;
  return callQuery([...batchListKey, 'series', seriesId], listBatches, { query });
}

/** What is made up of everything that happened to a batch, which the stream does not carry. */
const courseKey = (id: string) => [...batchKey(id), 'course'] as const;

export function batchSummaryQuery(id: string) {
  return callQuery([...courseKey(id), 'summary'], readBatchSummary, { params: { batch_id: id } });
}

export function batchMetricsQuery(id: string) {
  return callQuery([...courseKey(id), 'metrics'], readBatchMetrics, { params: { batch_id: id } });
}

export function batchTimelineQuery(id: string) {
  return callQuery([...courseKey(id), 'timeline'], readBatchTimeline, { params: { batch_id: id } });
}

/** Reads summary, metrics and timeline again whenever the batch, one of its orders or a submission with its shares has changed. */
export function useCourseRefresh(id: string): void {
  useTopic('chain');
  const client = useQueryClient();
  const isOfBatch = useCallback(
    (change: Change) =>
      (change.type === 'batch' && change.id === id) ||
      (change.type === 'order' && change.data.batch_id === id) ||
      (change.type === 'chain_submission' && change.data.batch_ids.includes(id)),
    [id],
  );
  const refresh = useCallback(() => void readAgain(client, courseKey(id)), [client, id]);
  useReadSoon(isOfBatch, refresh);
}
