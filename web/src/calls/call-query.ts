import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import { keepPreviousData, type QueryKey, queryOptions, type UndefinedInitialDataOptions } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { type CallInput, call } from './call.ts';

type Reply<E extends Endpoint> = z.output<E['reply']>;

type When<E extends Endpoint> = Pick<
  UndefinedInitialDataOptions<Reply<E>>,
  'enabled' | 'placeholderData' | 'refetchInterval' | 'refetchOnMount' | 'staleTime'
>;

/** What one call answers, kept under `queryKey`. */
export function callQuery<E extends Endpoint>(queryKey: QueryKey, endpoint: E, input: CallInput<E>, when?: When<E>) {
  return queryOptions<Reply<E>>({ queryKey, queryFn: ({ signal }) => call(endpoint, { ...input, signal }), ...when });
}

/** One of several answers: the last one stays on screen until the next has come. */
export function pageQuery<E extends Endpoint>(queryKey: QueryKey, endpoint: E, input: CallInput<E>, when?: When<E>) {
  return queryOptions<Reply<E>>({
    ...callQuery(queryKey, endpoint, input, when),
    placeholderData: keepPreviousData,
  });
}

/** The rows of a page, counted from 1. */
export function rowsOf(page: number, pageSize: number) {
  return { skip: (page - 1) * pageSize, limit: pageSize };
}
