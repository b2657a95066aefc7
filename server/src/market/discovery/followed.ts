import type { FollowedRelation } from '@dutchbook/engine/desk/relation-desk.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
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
