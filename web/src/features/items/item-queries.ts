import { listItems } from '@dutchbook/contract/items.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';

export const PAGE_SIZE = 5;

export const itemListKey = ['items'] as const;

/** One page of the items, newest first. */
export function itemListQuery(page: number) {
  const query = { skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
  return queryOptions({
    queryKey: [...itemListKey, query],
    queryFn: ({ signal }) => call(listItems, { query, signal }),
    placeholderData: keepPreviousData,
  });
}
