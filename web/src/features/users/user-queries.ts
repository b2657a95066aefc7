import { listUsers } from '@dutchbook/contract/users.ts';
import { pageQuery, rowsOf } from '../../calls/call-query.ts';

export const PAGE_SIZE = 5;

export const userListKey = ['users'] as const;

export function userListQuery(page: number) {
  return pageQuery([...userListKey, page], listUsers, { query: rowsOf(page, PAGE_SIZE) });
}
