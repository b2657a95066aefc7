import { auditAction, listAuditLog } from '@dutchbook/contract/audit.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { queryOptions } from '@tanstack/react-query';
import { pageQuery, rowsOf } from '../../calls/call-query.ts';
import { withoutUnset } from '../../lists/list-search.ts';
import type { AuditFilter } from './audit-search.ts';

export const PAGE_SIZE = 10;

/** One page of the log, newest first. */
export function auditLogQuery(filter: AuditFilter, page: number) {
  const query = {
    ...auditQueryOf(filter),
    ...rowsOf(page, PAGE_SIZE),
    sort_order: 'desc',
  } as const;
  return queryOptions({
    ...pageQuery(['auditLog', query], listAuditLog, { query }),
    select: ({ data, count }) => ({ data: data.map((entry) => ({ ...entry, id: String(entry.seq) })), count }),
  });
}

/** The filters as the calls take them; an unknown action narrows nothing. */
export function auditQueryOf({ action, actor, object, from, until }: AuditFilter) {
  return withoutUnset({
    action: auditAction.options.find((known) => known === action),
    actor,
    object,
    since: from === undefined ? undefined : startOf(from, 0),
    until: until === undefined ? undefined : instantFromMs(startOf(until, 1) - 1),
  });
}

/** The moment at which a day, or one so many days later, begins where the reader is. */
function startOf(day: string, daysLater: number): Instant {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return instantFromMs(new Date(year, month - 1, date + daysLater).getTime());
}
