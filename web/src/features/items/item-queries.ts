import { listItems } from '@dutchbook/contract/items.ts';
import { pageQuery, rowsOf } from '../../calls/call-query.ts';

export const PAGE_SIZE = 5;

export const itemListKey = ['items'] as const;

/** One page of the items, newest first. */
export function itemListQuery(page: number) {
  const query = rowsOf(page, PAGE_SIZE);
  return pageQuery([...itemListKey, query], listItems, { query });
}
