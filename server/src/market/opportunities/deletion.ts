/** Deleting opportunities, and bringing them back. */
import { NOTHING_NOW } from '@dutchbook/engine/desk/reprice.ts';
import { and, eq, ne, sql } from 'drizzle-orm';
import { violates } from '../../platform/database/driver-errors.ts';
import { keepDeleted, restoreDeleted } from '../../platform/deletions/deletions.ts';
import { Conflict } from '../../platform/http/errors.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { opportunityAlerts } from './alerts/table.ts';
import { pricePoints } from './history/table.ts';
import { type ActiveBatchOf, type StoredOpportunity, storedOpportunities } from './store.ts';
import { opportunities, opportunityPrices } from './table.ts';

/** More than a day of them while prices move every twenty seconds: of a longer history the newest come back. */
const POINTS_KEPT_MAX = 5_000;

type Around = Pick<Runtime, 'db' | 'clock'>;
/** Done with the row, at the end of the same transaction. */
type Last = (tx: Db, row: StoredOpportunity) => Promise<void>;

/** `active_batch`: an active batch still trades on it, and deleting it would orphan that work. */
export async function deleteOpportunity(
  { db, clock }: Around,
  id: string,
  user: Pick<UserRow, 'id'>,
  activeBatchOf: ActiveBatchOf,
  last: Last,
): Promise<'deleted' | 'not_found' | 'active_batch'> {
  return db.transaction(async (tx) => {
    const [row] = await storedOpportunities(tx).where(eq(opportunities.id, id)).for('update');
    if (!row) return 'not_found';
    if ((await activeBatchOf(tx, id)) !== null) return 'active_batch';
    await keepDeleted(tx, { clock }, { kind: 'opportunity', id }, user, [
      { table: opportunities, where: sql`id = ${id}` },
      { table: opportunityPrices, where: sql`opportunity_id = ${id}` },
      {
        table: pricePoints,
        where: sql`opportunity_id = ${id}`,
        newest: { by: sql`at`, limit: POINTS_KEPT_MAX },
      },
      { table: opportunityAlerts, where: sql`opportunity_id = ${id}` },
    ]);
    await tx.delete(opportunities).where(eq(opportunities.id, id));
    await last(tx, row);
    return 'deleted';
  });
}

/** @throws NotFound when it cannot be undone any more, Conflict when another opportunity stands in its place */
export async function restoreOpportunity(
  { db, clock }: Around,
  id: string,
  user: Pick<UserRow, 'id' | 'isSuperuser'>,
  last: Last,
): Promise<void> {
  await db.transaction(async (tx) => {
    await refusingTakenPlace(() =>
      restoreDeleted(tx, { clock }, { kind: 'opportunity', id }, user, [
        opportunities,
        opportunityPrices,
        pricePoints,
        opportunityAlerts,
      ]),
    );
    const [row] = await storedOpportunities(tx).where(eq(opportunities.id, id));
    if (row === undefined) throw new Error(`opportunity ${id} was restored and is not there`);
    await refuseSecondOfRelation(tx, row);
    await tx.update(opportunityPrices).set(NOTHING_NOW).where(eq(opportunityPrices.opportunityId, id));
    // Only discovery says that what it has found still pays.
    if (row.relationId !== null) await tx.update(opportunities).set({ active: false }).where(eq(opportunities.id, id));
    await last(tx, row);
  });
}

async function refusingTakenPlace(restore: () => Promise<void>): Promise<void> {
  try {
    await restore();
  } catch (error) {
    if (!violates(error, 'opportunities_content_hash_key')) throw error;
    throw new Conflict('An opportunity with these positions was added meanwhile');
  }
}

async function refuseSecondOfRelation(tx: Db, { id, relationId, direction }: StoredOpportunity): Promise<void> {
  if (relationId === null || direction === null) return;
  const another = and(
    eq(opportunities.relationId, relationId),
    eq(opportunities.direction, direction),
    ne(opportunities.id, id),
  );
  if ((await tx.$count(opportunities, another)) > 0)
    throw new Conflict('The relation was found to pay again meanwhile');
}
