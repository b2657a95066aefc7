/** Opportunities that discovery has found: one open row for each relation and direction, and the same row when the basket comes back. */
import type { RelationDirection } from '@dutchbook/contract/relations.ts';
import { and, eq, inArray, type SQL } from 'drizzle-orm';
import type { Db, Runtime } from '../runtime.ts';
import type { Draft } from './draft.ts';
import { edgeInsert } from './history/store.ts';
import { insertDrafts, type StoredOpportunity, storedOpportunities } from './store.ts';
import { opportunities, opportunityPrices } from './table.ts';

export const FOUND = 'found';

export type FoundBy = { relationId: string; direction: RelationDirection };

/** Thrown to undo what was stored where it may not be found any more. */
class NotToBeFound extends Error {}

/**
 * Makes the draft's opportunity the open one of its relation and direction: adds it, or opens it again, and pauses any other.
 * Somebody's own opportunity of the same positions stays as it is. `mayOpen` looks, in the same transaction, whether the
 * relation still says so. @returns its id, and whether anything has changed; null where it may not be opened
 */
export async function openFound(
  runtime: Runtime,
  draft: Draft,
  by: FoundBy,
  mayOpen: (tx: Db) => Promise<boolean>,
): Promise<{ id: string; isChanged: boolean } | null> {
  let opened = { id: '', isChanged: false };
  const storing = insertDrafts(runtime, [draft], async (tx, { created, existing }) => {
    if (!(await mayOpen(tx))) throw new NotToBeFound();
    const id = created.get(draft.contentHash) ?? existing.get(draft.contentHash) ?? '';
    const isNew = created.has(draft.contentHash);
    if (isNew) await tx.update(opportunities).set(by).where(eq(opportunities.id, id));
    const others = await activeOf(
      tx,
      and(eq(opportunities.relationId, by.relationId), eq(opportunities.direction, by.direction)),
    );
    await setActive(
      tx,
      runtime,
      others.filter((other) => other !== id),
      false,
    );
    const reopened = isNew ? [] : await reopen(tx, runtime, id, draft, by);
    opened = { id, isChanged: isNew || reopened.length > 0 };
  });
  try {
    await storing;
    return opened;
  } catch (error) {
    if (error instanceof NotToBeFound) return null;
    throw error;
  }
}

/**
 * Nothing is found there any more, in that direction where one is given, or it may not be traded.
 * @returns the ids of those that were active
 */
export async function pauseFound(
  tx: Db,
  runtime: Pick<Runtime, 'clock'>,
  relationIds: readonly string[],
  direction?: RelationDirection,
): Promise<string[]> {
  if (relationIds.length === 0) return [];
  const thatWay = direction === undefined ? undefined : eq(opportunities.direction, direction);
  const open = await activeOf(tx, and(inArray(opportunities.relationId, [...relationIds]), thatWay));
  return setActive(tx, runtime, open, false);
}

async function activeOf(tx: Db, condition: SQL | undefined): Promise<string[]> {
  const rows = await tx
    .select({ id: opportunities.id })
    .from(opportunities)
    .where(and(condition, eq(opportunities.active, true)));
  return rows.map(({ id }) => id);
}

async function reopen(
  tx: Db,
  runtime: Pick<Runtime, 'clock'>,
  id: string,
  { targetPrice }: Draft,
  by: FoundBy,
): Promise<string[]> {
  const [row] = await storedOpportunities(tx).where(eq(opportunities.id, id));
  if (row === undefined || row.source !== FOUND) return [];
  if (row.active && row.relationId === by.relationId && row.targetPrice === targetPrice) return [];
  await tx
    .update(opportunities)
    .set({ ...by, targetPrice })
    .where(eq(opportunities.id, id));
  return setActive(tx, runtime, [id], true);
}

/** Whoever follows a row tells its versions apart by `updatedAt`, so that no two may share one. */
async function setActive(
  tx: Db,
  { clock }: Pick<Runtime, 'clock'>,
  ids: readonly string[],
  active: boolean,
): Promise<string[]> {
  const changed: string[] = [];
  for (const id of ids.toSorted()) {
    const [before] = await storedOpportunities(tx).where(eq(opportunities.id, id)).for('update');
    if (before === undefined) continue;
    const updatedAt = Math.max(clock.now(), before.updatedAt + 1) as StoredOpportunity['updatedAt'];
    await tx.update(opportunities).set({ active, updatedAt }).where(eq(opportunities.id, id));
    if (before.triggered && !active) {
      await tx.update(opportunityPrices).set({ triggered: false }).where(eq(opportunityPrices.opportunityId, id));
      await edgeInsert(tx, { ...before, active, updatedAt, triggered: false }, updatedAt);
    }
    changed.push(id);
  }
  return changed;
}
