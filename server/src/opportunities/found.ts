/** Opportunities that discovery has found: one open row for each relation and direction, and the same row when the basket comes back. */
import type { RelationDirection } from '@dutchbook/contract/relations.ts';
import { and, asc, eq, inArray, or, type SQL } from 'drizzle-orm';
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
 * relation still says so. @returns its id, and it where anything of it has changed; null where it may not be opened
 */
export async function openFound(
  runtime: Runtime,
  draft: Draft,
  by: FoundBy,
  mayOpen: (tx: Db) => Promise<boolean>,
): Promise<{ id: string; changed: StoredOpportunity | null } | null> {
  let opened: { id: string; changed: StoredOpportunity | null } = { id: '', changed: null };
  const storing = insertDrafts(runtime, [draft], async (tx, { created, existing }) => {
    if (!(await mayOpen(tx))) throw new NotToBeFound();
    const id = created.get(draft.contentHash) ?? existing.get(draft.contentHash) ?? '';
    const isNew = created.has(draft.contentHash);
    if (isNew) await tx.update(opportunities).set(by).where(eq(opportunities.id, id));
    const rows = await lockedRows(tx, or(eq(opportunities.id, id), isActiveOf([by.relationId], by.direction)));
    await setActive(
      tx,
      runtime,
      rows.filter((row) => row.id !== id),
      { active: false },
    );
    const own = rows.find((row) => row.id === id);
    if (own === undefined) throw new NotToBeFound();
    opened = { id, changed: isNew ? own : await reopen(tx, runtime, own, draft, by) };
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
 * @returns those that were active, as they are now
 */
export async function pauseFound(
  tx: Db,
  runtime: Pick<Runtime, 'clock'>,
  relationIds: readonly string[],
  direction?: RelationDirection,
): Promise<StoredOpportunity[]> {
  if (relationIds.length === 0) return [];
  return setActive(tx, runtime, await lockedRows(tx, isActiveOf(relationIds, direction)), { active: false });
}

function isActiveOf(relationIds: readonly string[], direction: RelationDirection | undefined): SQL | undefined {
  const thatWay = direction === undefined ? undefined : eq(opportunities.direction, direction);
  return and(inArray(opportunities.relationId, [...relationIds]), thatWay, eq(opportunities.active, true));
}

/** In one order for everybody who locks several. */
async function lockedRows(tx: Db, condition: SQL | undefined): Promise<StoredOpportunity[]> {
  return storedOpportunities(tx).where(condition).orderBy(asc(opportunities.id)).for('update');
}

async function reopen(
  tx: Db,
  runtime: Pick<Runtime, 'clock'>,
  row: StoredOpportunity,
  { targetPrice }: Draft,
  by: FoundBy,
): Promise<StoredOpportunity | null> {
  if (row.source !== FOUND) return null;
  if (row.active && row.relationId === by.relationId && row.targetPrice === targetPrice) return null;
  const [opened = null] = await setActive(tx, runtime, [row], { active: true, ...by, targetPrice });
  return opened;
}

type Changes = Pick<StoredOpportunity, 'active'> & Partial<FoundBy & Pick<StoredOpportunity, 'targetPrice'>>;

/** Whoever follows a row tells its versions apart by `updatedAt`, so that no two may share one. */
async function setActive(
  tx: Db,
  { clock }: Pick<Runtime, 'clock'>,
  rows: readonly StoredOpportunity[],
  changes: Changes,
): Promise<StoredOpportunity[]> {
  const changed: StoredOpportunity[] = [];
  for (const before of rows) {
    const updatedAt = Math.max(clock.now(), before.updatedAt + 1) as StoredOpportunity['updatedAt'];
    const row = { ...before, ...changes, updatedAt, triggered: before.triggered && changes.active };
    await tx
      .update(opportunities)
      .set({ ...changes, updatedAt })
      .where(eq(opportunities.id, row.id));
    if (before.triggered && !row.triggered) {
      await tx.update(opportunityPrices).set({ triggered: false }).where(eq(opportunityPrices.opportunityId, row.id));
      await tx.execute(edgeInsert(row, updatedAt));
    }
    changed.push(row);
  }
  return changed;
}
