import type { FollowedRelation } from '@dutchbook/engine/desk/relation-desk.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { RelationDistance, StoredRelation } from '../relations/store.ts';
import type { Watched } from './watched.ts';

/** A relation that this process follows, with its last published state. */
export type Followed = FollowedRelation & {
  row: StoredRelation;
  isWritten: boolean;
  /** The last write to the database; null before the first. */
  written: ({ at: Instant } & Pick<StoredRelation, 'distance' | 'profit'>) | null;
  point: RelationDistance | null;
};

/** `before`: the previous version of the followed relation. */
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
/** While a relation does not pay and its distance moves less than a step, its plot gets one point in this time. */
const POINT_AT_LEAST_MS = 3_600_000;

/** How long a pair that does not pay, or another relation whose distance has moved by less than a tick, may stay unwritten. */
const QUIET_WRITTEN_MS = 300_000;
/** How long a pair may stay unwritten that does not pay and has not moved by a tick. */
const STILL_WRITTEN_MS = 3_600_000;

type UnwrittenRelation = Pick<Followed, 'written' | 'isPaying'> & { row: Pick<StoredRelation, 'kind' | 'distance'> };

/** Whether the new state need not be written yet, as long as the relation's page is not open. */
export function mayWait({ row, written, isPaying }: UnwrittenRelation, now: Instant): boolean {
  if (isPaying || written === null || written.profit > 0) return false;
  const hasMoved = isFar(row.distance, written.distance);
  if (row.kind !== 'pair' && hasMoved) return false;
  const isStill = row.kind === 'pair' && !hasMoved;
  return elapsedMs(written.at, now) < (isStill ? STILL_WRITTEN_MS : QUIET_WRITTEN_MS);
}

/** Whether two distances are a tick apart, or only one of them is known. */
function isFar(one: Usd | null, other: Usd | null): boolean {
  return one === null || other === null ? one !== other : Math.abs(one - other) >= DISTANCE_STEP;
}

type PlottedRelation = Pick<Followed, 'point'> & { row: Pick<StoredRelation, 'id' | 'kind' | 'distance' | 'profit'> };

/** The plot's points: the smallest distance of each minute; of a pair only while it pays, because otherwise it is one market's spread. */
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
