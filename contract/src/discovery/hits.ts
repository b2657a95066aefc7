/** Each time a relation paid: for how long, how much at best, and what came of it. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { flagInQuery, id, listOf, page } from '../listing.ts';
import { described, explained } from '../notes/described.ts';
import { sizeBound } from '../orders.ts';
import { instant, shares, usd } from '../quantities.ts';
import { venueName } from '../venue-names.ts';

export const relationHit = z.object({
  id,
  relation_id: id,
  event_title: z.string(),
  title: described('What the relation says, as a sentence.', z.string()),
  direction: explained(
    { yes: 'Yes of the members is bought', no: 'No of the members is bought' },
    z.enum(['yes', 'no']),
  ),
  first_at: described('When it began to pay.', instant),
  last_at: described('When it was last seen to pay.', instant),
  ended_at: described(
    'Null while it pays. An edge that is back within five seconds has not been gone.',
    z.nullable(instant),
  ),
  lasted_ms: described('How long it paid, in milliseconds.', z.int()),
  net_usd: described('Of one set after fees, at best.', usd),
  profit_usd: described('At best, with the size that made it.', usd),
  size: shares,
  opportunity_id: z.nullable(id),
  batch_id: described('The first batch that bought it.', z.nullable(id)),
  bought_size: described(
    'Shares of each position of that batch and of the clips of its series that followed it; null where there is none.',
    z.nullable(shares),
  ),
  bought_clips: described('How many batches those are.', z.int()),
  bounded_by: described(
    'What kept the last of them from being larger; null where there is no batch, or a person decided on it.',
    z.nullable(sizeBound),
  ),
  why_not: described('A sentence; null where a batch bought it.', z.nullable(z.string())),
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
    venue: described('Only hits of relations at this venue.', z.optional(venueName)),
    taken: described('Whether a batch bought it.', z.optional(flagInQuery)),
  }),
  reply: listOf(relationHit),
});
