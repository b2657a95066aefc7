import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import type { StoredOpportunity } from './store.ts';
import { opportunityPrices } from './table.ts';

/** The statement that keeps why no more is bought of one that stands above its trigger since the rise that `rises` counts; null: more is. */
export function refusalUpdate(db: Db, { id, rises }: Pick<StoredOpportunity, 'id' | 'rises'>, refusal: string | null) {
  const { opportunityId, triggered, rises: recorded, refusal: known } = opportunityPrices;
  return db
    .update(opportunityPrices)
    .set({ refusal })
    .where(and(eq(opportunityId, id), triggered, eq(recorded, rises), sql`${known} is distinct from ${refusal}::text`));
}
