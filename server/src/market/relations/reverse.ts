import type { Relation } from '@dutchbook/engine/relation/relation.ts';
import { isReverse } from '@dutchbook/engine/relation/reverse.ts';
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { relations } from './table.ts';

const ORDERED = ['ladder', 'buckets'] as const;

/**
 * The title of a relation that may be bought and orders two of the members the other way round; null where there is none, which
 * stays so under the lock of `humanRelations`. One of the two is wrong, and would be bought as if it could not lose.
 */
export async function standingReverse(
  tx: Db,
  relation: Pick<Relation, 'key' | 'kind' | 'members'>,
): Promise<string | null> {
  if (relation.kind !== 'ladder' && relation.kind !== 'buckets') return null;
  const { key, kind, state, basis, members, title, endedAt } = relations;
  const eventIds = [...new Set(relation.members.map(({ eventId }) => eventId))];
  const rows = await tx
    .select({ key, members, title })
    .from(relations)
    .where(
      and(
        inArray(kind, [...ORDERED]),
        isNull(endedAt),
        or(eq(state, 'approved'), and(eq(state, 'proposed'), inArray(basis, ['enforced', 'declared']))),
        or(...eventIds.map((eventId) => sql`${members} @> ${JSON.stringify([{ eventId }])}::jsonb`)),
      ),
    );
  return rows.find((row) => isReverse(row, relation))?.title ?? null;
}
