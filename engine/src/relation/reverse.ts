/** Two relations of which one says that a market implies another, and the other one the opposite. */
import type { Relation } from './relation.ts';
import { isTwinKey } from './twins.ts';

type Ordered = Pick<Relation, 'key' | 'members'>;

/**
 * Whether two thresholds stand the other way round. A question that is listed twice is a ladder both ways, so that its reverse is no
 * contradiction.
 */
export function isReverse(one: Ordered, other: Ordered): boolean {
  if (isTwinKey(one.key) || isTwinKey(other.key)) return false;
  const placeOf = new Map(thresholdsOf(one).map((marketId, place) => [marketId, place]));
  const places = thresholdsOf(other).flatMap((marketId) => placeOf.get(marketId) ?? []);
  return places.some((place, index) => place < (places[index - 1] ?? 0));
}

function thresholdsOf({ members }: Ordered): string[] {
  return members.flatMap(({ role, marketId }) => (role === 'threshold' ? marketId : []));
}
