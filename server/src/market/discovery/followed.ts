import type { FollowedRelation } from '@dutchbook/engine/desk/relation-desk.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { RelationDistance, StoredRelation } from '../relations/store.ts';
import type { Watched } from './watched.ts';

/** A relation that this process follows, with what was last shown of it. */
export type Followed = FollowedRelation & {
  row: StoredRelation;
  isWritten: boolean;
  /** Last; null where it was not since it is followed like this. */
  written: ({ at: Instant } & Pick<StoredRelation, 'distance' | 'profit'>) | null;
  point: RelationDistance | null;
};

/** `before`: the same relation, as it was followed until now. */
export function followedOf({ row, members }: Watched, before: Followed | undefined, now: Instant): Followed {
  return {
    ...{ id: row.id, terms: row, members, row },
    ...{ isPaying: false, isTouched: true, followedAt: now, hasOpportunity: row.opportunityId !== null },
    isAccountedFor: before?.isAccountedFor ?? false,
    isWritten: false,
    written: null,
    point: before?.point ?? null,
  };
}

const MINUTE_MS = 60_000;
/** The smallest tick there is. */
const DISTANCE_STEP = 1_000 as Usd;
/** Nearer to the last point than a step, the plot of a relation that did not pay then either goes on without another. */
const POINT_AT_LEAST_MS = 3_600_000;

/** Whether two distances are a tick apart, or only one of them is known. */
export function isFar(one: Usd | null, other: Usd | null): boolean {
  return one === null || other === null ? one !== other : Math.abs(one - other) >= DISTANCE_STEP;
}

type PlottedRelation = Pick<Followed, 'point'> & { row: Pick<StoredRelation, 'id' | 'kind' | 'distance' | 'profit'> };

/** The nearest of each minute; of a pair, which is one market's own spread while it does not pay, only where it pays. */
export function nextPoint(one: PlottedRelation, now: Instant): RelationDistance[] {
  const { id, kind, distance, profit } = one.row;
  if (distance === null || (kind === 'pair' && distance >= 0)) return [];
  const at = (now - (now % MINUTE_MS)) as Instant;
  const { point } = one;
  if (point?.at === at && point.distance <= distance) return [];
  const isQuiet = point !== null && distance >= 0 && point.distance >= 0 && !isFar(distance, point.distance);
  if (isQuiet && at - point.at < POINT_AT_LEAST_MS) return [];
  one.point = { relationId: id, at, distance, profit };
  return [one.point];
}
