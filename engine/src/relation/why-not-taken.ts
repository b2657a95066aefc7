/** Why nothing was bought of what a relation offered, in one sentence. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { type Usd, usdToText } from '@dutchbook/units/usd.ts';
import { mayTrade, type Relation, type RelationState } from './relation.ts';

type Offering = Pick<Relation, 'kind' | 'basis'> & { state: RelationState };

/** What keeps a hit from becoming an opportunity; null where nothing does. `profit`: of the best basket at its best size. */
export function obstacleOf(
  relation: Offering,
  { profit, leastProfit }: { profit: Usd; leastProfit: Usd },
  isSwitchedOn: Parameters<typeof mayTrade>[1],
): string | null {
  if (!mayTrade(relation, isSwitchedOn))
    return relation.basis === 'enforced' || relation.basis === 'declared'
      ? `Its kind, ${relation.kind.replaceAll('_', ' ')}, is switched off in the discovery settings`
      : 'A superuser has to approve the relation first';
  if (profit <= 0) return 'After fees no size of it makes a profit';
  if (profit < leastProfit)
    return `It makes $${usdToText(profit)} at its best size, and the least profit is $${usdToText(leastProfit)}`;
  return null;
}

/** The only batches were simulated, which take nothing from the venue. */
export const ONLY_SIMULATED = 'Orders were only simulated.';

/** Why no order was asked for. */
export const NOT_ASKED = 'Orders are not placed automatically (AUTO_PLACE_ORDER_ENABLED)';

/** Reason of a hit from a version that stored none. */
const NOT_KEPT = 'What stood in its way was not kept';

/** The end of a hit. `refusal`: why its opportunity was not bought, or no more of it, and how near it came where it did not trigger. */
export type HitEnd = {
  /** Null while it pays. */
  endedAt: Instant | null;
  batchId: string | null;
  obstacle: string | null;
  opportunityId: string | null;
  triggered: boolean;
  refusal: string | null;
};

/** Null where a batch was placed, and while the hit is so fresh that nothing is known. */
export function whyNotTaken({ endedAt, batchId, obstacle, opportunityId, triggered, refusal }: HitEnd): string | null {
  if (batchId !== null) return null;
  if (obstacle !== null) return obstacle;
  if (opportunityId === null) return endedAt === null ? null : 'It was over before it was stored as an opportunity';
  if (!triggered) return refusal ?? 'Its profit did not reach the trigger (MIN_PROFIT_TRIGGER_THRESHOLD)';
  return refusal ?? (endedAt === null ? null : NOT_KEPT);
}
