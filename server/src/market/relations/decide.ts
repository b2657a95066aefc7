/** People's decisions about relations: approve, reject. */
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { recordAction } from '../../platform/audit/record.ts';
import { lock } from '../../platform/database/locks.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { pauseFound } from '../opportunities/found.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';
import { nextVersion } from './next-version.ts';
import { standingReverse } from './reverse.ts';
import { lockRelation } from './store.ts';
import { relationFollows, relations, relationTemplates } from './table.ts';

type Decision = { id: string; actor: Actor };
type Approval = { fingerprint: string; scope: 'relation' | 'series' };
/** Says in words how resolved members contradict the relation; null when they do not. */
type Contradiction = (tx: Db, row: typeof relations.$inferSelect) => Promise<string | null>;

/**
 * Approves what the caller has looked at. With `series` all that read like it are approved with it, also those still to
 * come. @throws NotFound, Conflict where it has changed since, has ended, is contradicted or reversed by another, or stands alone
 */
export async function approveRelation(
  runtime: Runtime,
  { id, actor }: Decision,
  { fingerprint, scope }: Approval,
  contradictionOf: Contradiction,
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    await lock(tx, 'humanRelations');
    const row = await lockedRelation(tx, id);
    if (row.fingerprint !== fingerprint)
      throw new Conflict('The relation has changed since it was read. Look at it again.');
    if (row.endedAt !== null) throw new Conflict('The relation has ended.');
    const contradiction = await contradictionOf(tx, row);
    if (contradiction !== null) throw new Conflict(`The relation is contradicted: ${contradiction}.`);
    const reverse = await standingReverse(tx, row);
    if (reverse !== null)
      throw new Conflict(
        `"${reverse}" orders two of its markets the other way round and may be bought: reject one of them.`,
      );
    if (scope === 'series' && row.template === null) throw new Conflict('The relation belongs to no series.');
    const now = runtime.clock.now();
    const by = actor.email ?? '';
    const decided = {
      state: 'approved',
      decidedBy: by,
      decidedAt: now,
      reason: null,
      updatedAt: nextVersion(runtime),
    } as const;
    await tx
      .update(relations)
      .set({ ...decided, bySeries: false, trusted: row.snapshot })
      .where(eq(relations.id, id));
    const alike = scope === 'series' ? await approveSeries(tx, row.template ?? '', { by, decided }) : [];
    await runtime.pubsub.publish(tx, 'relations_changed');
    await recordAction(tx, runtime, actor, {
      action: 'relation.approved',
      object: id,
      before: { state: row.state },
      after: { state: 'approved', scope, fingerprint, series: alike.length },
    });
  });
}

async function approveSeries(
  tx: Db,
  template: string,
  { by, decided }: { by: string; decided: { decidedAt: (typeof relations.$inferSelect)['decidedAt'] } & object },
): Promise<string[]> {
  const approval = { approvedBy: by, approvedAt: decided.decidedAt as NonNullable<typeof decided.decidedAt> };
  await tx
    .insert(relationTemplates)
    .values({ template, ...approval })
    .onConflictDoUpdate({ target: relationTemplates.template, set: approval });
  const proposed = await tx
    .select()
    .from(relations)
    .where(and(eq(relations.template, template), eq(relations.state, 'proposed'), isNull(relations.endedAt)));
  const alike: string[] = [];
  for (const row of proposed) if ((await standingReverse(tx, row)) === null) alike.push(row.id);
  await tx
    .update(relations)
    .set({ ...decided, bySeries: true })
    .where(inArray(relations.id, alike));
  return alike;
}

/**
 * It creates no opportunities any more, and its open ones are paused. Where its series was approved, those still to come
 * are proposed again: nothing else ends that approval, and what reads alike was just found to be wrong. @throws NotFound, Conflict
 */
export async function rejectRelation(
  runtime: Runtime,
  { id, actor }: Decision,
  reason: string,
): Promise<StoredOpportunity[]> {
  return runtime.db.transaction(async (tx) => {
    const row = await lockedRelation(tx, id);
    if (row.state === 'rejected') throw new Conflict('The relation is rejected already.');
    const now = runtime.clock.now();
    const decided = {
      state: 'rejected',
      decidedBy: actor.email,
      decidedAt: now,
      bySeries: false,
      reason,
      updatedAt: nextVersion(runtime),
    } as const;
    await tx.update(relations).set(decided).where(eq(relations.id, id));
    const paused = await pauseFound(tx, runtime, [id]);
    const isSeriesEnded = row.template !== null && (await endSeries(tx, row.template));
    await runtime.pubsub.publish(tx, 'relations_changed');
    await recordAction(tx, runtime, actor, {
      action: 'relation.rejected',
      object: id,
      before: { state: row.state },
      after: { state: 'rejected', reason, ...(isSeriesEnded && { series_approval_ended: true }) },
    });
    return paused;
  });
}

/** @returns whether it was approved */
async function endSeries(tx: Db, template: string): Promise<boolean> {
  const ended = await tx
    .delete(relationTemplates)
    .where(eq(relationTemplates.template, template))
    .returning({ template: relationTemplates.template });
  return ended.length > 0;
}

/** @throws NotFound */
export async function followRelation(db: Db, userId: string, relationId: string, follow: boolean): Promise<void> {
  await db.transaction(async (tx) => {
    await lockedRelation(tx, relationId);
    if (follow) await tx.insert(relationFollows).values({ userId, relationId }).onConflictDoNothing();
    else
      await tx
        .delete(relationFollows)
        .where(and(eq(relationFollows.userId, userId), inArray(relationFollows.relationId, [relationId])));
  });
}

async function lockedRelation(tx: Db, id: string) {
  const row = await lockRelation(tx, id);
  if (row === null) throw new NotFound('Relation not found');
  return row;
}
