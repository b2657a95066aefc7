/** Each time a relation paid: for how long, how much at best, and what came of it. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flagInQuery, id, listOf, page } from './listing.ts';
import { instant, shares, usd } from './quantities.ts';

export const relationHit = z.object({
  id,
  relation_id: id,
  event_title: z.string(),
  /** What the relation says, as a sentence. */
  title: z.string(),
  direction: z.enum(['yes', 'no']),
  first_at: instant,
  last_at: instant,
  /** Null while it pays. An edge that is back within five seconds has not been gone. */
  ended_at: z.nullable(instant),
  lasted_ms: z.int(),
  /** Of one set after fees, at best. */
  net_usd: usd,
  /** At best, with the size that made it. */
  profit_usd: usd,
  size: shares,
  opportunity_id: z.nullable(id),
  /** The first batch that bought it. */
  batch_id: z.nullable(id),
  /** A sentence; null where a batch bought it. */
  why_not: z.nullable(z.string()),
});
export type RelationHit = z.output<typeof relationHit>;

export const listRelationHits = endpoint({
  method: 'GET',
  path: '/relations/hits',
  access: 'viewer',
  heavy: 'list',
  tag: 'Discovery',
  summary: 'Each time a relation paid, the newest first: how long, how much, taken or why not',
  query: z.object({
    ...page,
    relation_id: z.optional(id),
    /** Whether a batch bought it. */
    taken: z.optional(flagInQuery),
  }),
  reply: listOf(relationHit),
});
