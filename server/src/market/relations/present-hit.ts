import type { RelationHit } from '@dutchbook/contract/discovery/hits.ts';
import { whyNotTaken } from '@dutchbook/engine/relation/why-not-taken.ts';
import type { BoughtSize, ListedHit } from './hits.ts';

/** `bought`: by its batch and the clips that followed it. */
export function presentHit(hit: ListedHit, bought: BoughtSize | null): RelationHit {
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
    bought_size: bought?.size ?? null,
    bought_clips: bought?.clips ?? 0,
    bounded_by: bought?.boundedBy ?? null,
    why_not: whyNotTaken(hit),
  };
}
