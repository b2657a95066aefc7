import type { RelationHit } from '@dutchbook/contract/discovery/hits.ts';
import { whyNotTaken } from '@dutchbook/engine/relation/why-not-taken.ts';
import type { ListedHit } from './hits.ts';

export function presentHit(hit: ListedHit): RelationHit {
  return {
    id: hit.id,
    relation_id: hit.relationId,
    event_title: hit.eventTitle,
    title: hit.relationTitle,
    direction: hit.direction,
    first_at: hit.firstAt,
    last_at: hit.lastAt,
    ended_at: hit.endedAt,
    lasted_ms: hit.lastAt - hit.firstAt,
    net_usd: hit.net,
    profit_usd: hit.profit,
    size: hit.size,
    opportunity_id: hit.opportunityId,
    batch_id: hit.batchId,
    why_not: whyNotTaken(hit),
  };
}
