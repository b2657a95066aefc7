import type { Db } from '../../platform/runtime/runtime.ts';
import { opportunities, opportunityPrices } from './table.ts';

export type Storable = typeof opportunities.$inferInsert &
  Omit<typeof opportunityPrices.$inferInsert, 'opportunityId' | 'editedAt'>;

/** Stores rows as they are, but for those whose id is taken. */
export async function storeOpportunities(db: Db, rows: readonly Storable[]): Promise<void> {
  const prices = rows.map((row) => ({ ...row, opportunityId: row.id, editedAt: row.updatedAt }));
  await db
    .insert(opportunities)
    .values([...rows])
    .onConflictDoNothing();
  await db.insert(opportunityPrices).values(prices).onConflictDoNothing();
}
