/** Opportunities that discovery has found: one open row for each relation and direction, and the same row when the basket comes back or a better one takes its place. */
import type { RelationDirection } from '@dutchbook/contract/relations.ts';
import { NOTHING_NOW } from '@dutchbook/engine/desk/reprice.ts';
import type { Basis } from '@dutchbook/engine/relation/relation.ts';
import { and, asc, eq, inArray, or, type SQL } from 'drizzle-orm';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import type { Draft } from './draft.ts';
import { edgeInsert } from './history/store.ts';
import { insertDrafts } from './insert-drafts.ts';
import { type ActiveBatchOf, type StoredOpportunity, storedOpportunities } from './store.ts';
import { opportunities, opportunityPrices } from './table.ts';

export const FOUND = 'found';

export type FoundBy = { relationId: string; direction: RelationDirection; basis: Basis };

export type Opened =
  | { kind: 'opened'; id: string; changed: StoredOpportunity[] }
  /** A batch is buying what would be replaced. */
  | { kind: 'waits' }
  /** The relation may not be traded any more. */
  | { kind: 'not_allowed' };

/** Questions to the caller, asked in the transaction that opens a row for a relation. */
type Asked = {
  /** Whether the relation still says so. */
  mayOpen: (tx: Db) => Promise<boolean>;
  activeBatchOf: ActiveBatchOf;
};

/**
 * Makes the draft's opportunity the open one of its relation and direction. The one that is open takes over the draft's
 * positions, so that its batches and whatever follows it stay with it. Where another row has those positions, that one is
 * opened and this one paused; an opportunity that a user added stays as it is.
 */
export async function openFound(runtime: Runtime, draft: Draft, by: FoundBy, asked: Asked): Promise<Opened> {
  return runtime.db.transaction(async (tx): Promise<Opened> => {
    if (!(await asked.mayOpen(tx))) return { kind: 'not_allowed' };
    const isOpen = isActiveOf([by.relationId], by.direction);
    const rows = await lockedRows(tx, or(eq(opportunities.contentHash, draft.contentHash), isOpen));
    const same = rows.find(({ contentHash }) => contentHash === draft.contentHash);
    const others = rows.filter((row) => row !== same);
    for (const { id } of others) if ((await asked.activeBatchOf(tx, id)) !== null) return { kind: 'waits' };
    const replaced = same === undefined ? others[0] : undefined;
    const rest = others.filter((row) => row !== replaced);
    const paused = await setActive(tx, runtime, rest, { active: false });
    if (replaced !== undefined) {
      const row = await replacePositions(tx, runtime, replaced, draft, by);
      return { kind: 'opened', id: row.id, changed: [row, ...paused] };
    }
    const opened = same === undefined ? await addFound(tx, runtime, draft, by) : same;
    const changed = same === undefined ? opened : await reopen(tx, runtime, same, draft, by);
    return { kind: 'opened', id: opened.id, changed: [...(changed === null ? [] : [changed]), ...paused] };
  });
}

async function addFound(tx: Db, runtime: Runtime, draft: Draft, by: FoundBy): Promise<StoredOpportunity> {
  const { created } = await insertDrafts({ ...runtime, db: tx }, [draft]);
  const id = created.get(draft.contentHash);
  if (id === undefined) throw new Error('the positions of a found opportunity were stored meanwhile');
  await tx.update(opportunities).set(by).where(eq(opportunities.id, id));
  const [row] = await lockedRows(tx, eq(opportunities.id, id));
  if (row === undefined) throw new Error(`the found opportunity ${id} is not there`);
  return row;
}

/** Replaces the positions and clears the prices, which belong to the old ones. */
async function replacePositions(
  tx: Db,
  runtime: Pick<Runtime, 'clock'>,
  before: StoredOpportunity,
  { marketCombinations, contentHash, targetPrice, sourceDetails }: Draft,
  by: FoundBy,
): Promise<StoredOpportunity> {
  const changes = { active: true, ...by, marketCombinations, contentHash, targetPrice, sourceDetails };
  const [row = before] = await setActive(tx, runtime, [before], changes);
  const unpriced = {
    ...{
      currentPrice: null,
      feesPerSet: null,
      profitPercentage: null,
      annualisedReturn: null,
      ...NOTHING_NOW,
      paysAt: null,
      about: null,
      refusal: null,
      lastChecked: null,
    },
    ...{ lastError: null, errorCount: 0, errorNotifiedAt: null, augmentedEvent: false, resolution: null },
  };
  await tx.update(opportunityPrices).set(unpriced).where(eq(opportunityPrices.opportunityId, row.id));
  return { ...row, ...unpriced };
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

/** Locks rows in the same order in all transactions that lock several. */
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

type Said = 'targetPrice' | 'marketCombinations' | 'contentHash' | 'sourceDetails';
type Changes = Pick<StoredOpportunity, 'active'> & Partial<FoundBy & Pick<StoredOpportunity, Said>>;

/** Readers tell versions of a row apart by `updatedAt`, so each version gets a later one. New positions have not triggered. */
async function setActive(
  tx: Db,
  { clock }: Pick<Runtime, 'clock'>,
  rows: readonly StoredOpportunity[],
  changes: Changes,
): Promise<StoredOpportunity[]> {
  const changed: StoredOpportunity[] = [];
  for (const before of rows) {
    const updatedAt = Math.max(clock.now(), before.updatedAt + 1) as StoredOpportunity['updatedAt'];
    const triggered = before.triggered && changes.active && changes.contentHash === undefined;
    const row = { ...before, ...changes, ...NOTHING_NOW, updatedAt, triggered };
    await tx
      .update(opportunities)
      .set({ ...changes, updatedAt })
      .where(eq(opportunities.id, row.id));
    const prices = { triggered, ...NOTHING_NOW };
    await tx.update(opportunityPrices).set(prices).where(eq(opportunityPrices.opportunityId, row.id));
    if (before.triggered && !row.triggered) {
      await tx.execute(edgeInsert(row, updatedAt));
    }
    changed.push(row);
  }
  return changed;
}
