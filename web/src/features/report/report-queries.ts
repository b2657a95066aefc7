import { type BatchResult, listBatchResults, readBatchResult } from '@dutchbook/contract/batch-results.ts';
import {
  listMissed,
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
import { readAgain } from '../../calls/read-again.ts';
import { listQuery } from '../../lists/list-query.ts';
import { useTopic } from '../../live/live.ts';
import { useReadSoon } from '../../live/read-soon.ts';
import {
  type DayBy,
  type MissedSearch,
  NONE,
  type ReportFilter,
  type ResultFilter,
  type ResultSearch,
} from './report-search.ts';

const KEY = 'report';

/** Money may come in without a published change of a batch, as when a market resolves. */
const REFRESH_MS = 30_000;

/** The filter as the calls of the report take it. */
function reportQueryOf({ since, until, operatorId, automatic, eventId, source, structure }: ReportFilter) {
  const named = { source: nameOf(source), structure: nameOf(structure) };
  return { since, until, operator_id: operatorId, automatic, event_id: eventId, ...named };
}

/** The calls know what has none by the empty name. */
function nameOf(chosen: string | undefined): string | undefined {
  return chosen === NONE ? '' : chosen;
}

/** The filter as the calls that list batches take it. */
export function resultQueryOf(filter: ResultFilter) {
  const { lockDay, cashDay, releaseMonth, isOpen, reached, sizeBand, hour } = filter;
  return {
    ...reportQueryOf(filter),
    lock_day: lockDay,
    cash_day: cashDay,
    release_month: releaseMonth,
    is_open: isOpen,
    reached,
    size_band: sizeBand,
    hour,
  };
}

const often = { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS } as const;

export function summaryQuery(filter: ReportFilter) {
  const query = reportQueryOf(filter);
  return queryOptions({
    queryKey: [KEY, 'summary', query],
    queryFn: ({ signal }) => call(readReport, { query, signal }),
    ...often,
  });
}

export function daysQuery(filter: ReportFilter, by: DayBy) {
  const query = { ...reportQueryOf(filter), by };
  return queryOptions({
    queryKey: [KEY, 'days', query],
    queryFn: ({ signal }) => call(listReportDays, { query, signal }),
    ...often,
  });
}

export function exposureQuery(filter: ReportFilter) {
  const query = reportQueryOf(filter);
  return queryOptions({
    queryKey: [KEY, 'exposure', query],
    queryFn: ({ signal }) => call(readExposure, { query, signal }),
    ...often,
  });
}

export function executionQuery(filter: ReportFilter) {
  const query = reportQueryOf(filter);
  return queryOptions({
    queryKey: [KEY, 'execution', query],
    queryFn: ({ signal }) => call(readExecutionQuality, { query, signal }),
    ...often,
  });
}

export function funnelQuery(filter: ReportFilter) {
  const query = reportQueryOf(filter);
  return queryOptions({
    queryKey: [KEY, 'funnel', query],
    queryFn: ({ signal }) => call(readFunnel, { query, signal }),
    ...often,
  });
}

/** What it can be narrowed to: events with `search` in their names, and the one that it is narrowed to. */
export function choicesQuery(search: string, eventId: EventId | undefined) {
  const query = { search, event_id: eventId };
  return queryOptions({
    queryKey: [KEY, 'choices', query],
    queryFn: ({ signal }) => call(listReportChoices, { query, signal }),
    placeholderData: keepPreviousData,
  });
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

export function resultListQuery(search: ResultSearch, pageSize: number) {
  return listQuery('results', search, pageSize, resultQueryOf(search), async (query, signal) => {
    const { data, count } = await call(listBatchResults, { query, signal });
    return { data: data.map((row): ResultRow => ({ ...row, id: row.batch_id })), count };
  });
}

export function missedListQuery(search: MissedSearch, pageSize: number) {
  const { reached, cameTo, reason } = search;
  const filter = { ...reportQueryOf(search), reached, came_to: cameTo, reason };
  return listQuery('missed', search, pageSize, filter, (query, signal) => call(listMissed, { query, signal }));
}

export type ResultRow = BatchResult & { id: string };

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
