import { type SQL, sql } from 'drizzle-orm';
import { relationHits, relations } from './table.ts';

/**
 * At most one and exactly one of the same members offer the same shares of "No": such a set counts where it needs no approval, whether it
 * was bought there or missed.
 */
export function isOfferedByAnother(): SQL {
  const { direction, firstAt, endedAt, lastAt } = relationHits;
  const { eventId, kind, members } = relations;
  return sql`(${kind} = 'exactly_one' and ${direction} = 'no' and exists (
    select from relations r join relation_hits h on h.relation_id = r.id
    where r.event_id = ${eventId} and r.kind = 'at_most_one' and r.members @> ${members} and h.direction = 'no'
      and h.first_at <= coalesce(${endedAt}, ${lastAt}) and coalesce(h.ended_at, h.last_at) >= ${firstAt}))`;
}
