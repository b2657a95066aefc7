/** Profit of sets that are not filled, of batches that have not ended: it may come yet. */
import type { Usd } from '@dutchbook/units/usd.ts';
import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ACTIVE_STATUSES } from '../../trading/orders/batch-store.ts';
import { batches } from '../../trading/orders/table.ts';
import { totalUsd } from './figures.ts';
import { matching, type ReportFilter } from './filter.ts';
import { batchResults } from './table.ts';

export async function readBeingBought(db: Db, filter: ReportFilter): Promise<Usd> {
  const [sums] = await db
    .select({ usd: totalUsd(batchResults.shortfall) })
    .from(batches)
    .innerJoin(batchResults, eq(batchResults.batchId, batches.id))
    .where(and(inArray(batches.status, [...ACTIVE_STATUSES]), matching(filter)));
  return sums?.usd ?? (0 as Usd);
}
