import { readBatchResult } from '@dutchbook/contract/batch-results.ts';
import {
  listReportChoices,
  listReportDays,
  readExecutionQuality,
  readExposure,
  readFunnel,
  readReport,
} from '@dutchbook/contract/report.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import type { EventId } from '@dutchbook/units/ids.ts';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ApiError } from '../../calls/api-error.ts';
import { call } from '../../calls/call.ts';
import { pageQuery } from '../../calls/call-query.ts';
import { readAgain } from '../../calls/read-again.ts';
import { filterQuery } from '../../lists/list-search.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import { type DayBy, NONE, type ReportFilter } from './report-search.ts';

const KEY = 'report';

/** Money may come in without a published change of a batch, as when a market resolves. */
const REFRESH_MS = 30_000;

/** The filter as the calls of the report take it. */
export function reportQueryOf<Filter extends ReportFilter>({ source, structure, ...filter }: Filter) {
  return { ...filterQuery(filter), source: nameOf(source), structure: nameOf(structure) };
}

/** The calls know what has none by the empty name. */
function nameOf(chosen: string | undefined): string | undefined {
  return chosen === NONE ? '' : chosen;
}

/** One part of the report, under its name; the last one stays on screen until the next has come. */
function partQuery<Part>(
  name: string,
  filter: ReportFilter,
  read: (query: ReturnType<typeof reportQueryOf<ReportFilter>>, signal: AbortSignal) => Promise<Part>,
) {
  const query = reportQueryOf(filter);
  return queryOptions({
    queryKey: [KEY, name, query],
    queryFn: ({ signal }) => read(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

export const summaryQuery = (filter: ReportFilter) =>
  partQuery('summary', filter, (query, signal) => call(readReport, { query, signal }));

export const daysQuery = (filter: ReportFilter, by: DayBy | 'trigger') =>
  partQuery(`days by ${by}`, filter, (query, signal) => call(listReportDays, { query: { ...query, by }, signal }));

export const exposureQuery = (filter: ReportFilter) =>
  partQuery('exposure', filter, (query, signal) => call(readExposure, { query, signal }));

export const executionQuery = (filter: ReportFilter) =>
  partQuery('execution', filter, (query, signal) => call(readExecutionQuality, { query, signal }));

export const funnelQuery = (filter: ReportFilter) =>
  partQuery('funnel', filter, (query, signal) => call(readFunnel, { query, signal }));

/** What it can be narrowed to: events with `search` in their names, and the one that it is narrowed to. */
export function choicesQuery(search: string, eventId: EventId | undefined) {
  const query = { search, event_id: eventId };
  return pageQuery([KEY, 'choices', query], listReportChoices, { query });
}

/**
 * Null of a batch that has not been counted, as one that has just been placed. Below the key of the report, so that what reads
 * that again reads this too.
 */
export function batchResultQuery(id: string) {
  return queryOptions({
    queryKey: [KEY, 'batch', id],
    queryFn: async ({ signal }) => {
      try {
        return await call(readBatchResult, { params: { batch_id: id }, signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

export function isOfBatches({ type }: Change): boolean {
  return type === 'batch' || type === 'order';
}

/** Reads all of the report again as batches move. */
export function useReportRefresh(): void {
  useTopic('batches');
  const client = useQueryClient();
  const refresh = useCallback(() => void readAgain(client, [KEY]), [client]);
  useReadSoon(isOfBatches, refresh);
}
