/** The venues of batches and of rows of accounts. */
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { type AnyColumn, and, eq, type SQL, sql } from 'drizzle-orm';
import { venueIn } from '../../platform/database/columns.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batchOrders } from './table.ts';

/** The ids of the rows of tables that have one for each account; until there were several there was the first. */
const ROW_IDS: Record<VenueName, number> = { polymarket: 1, kalshi: 2 };

export function rowIdOf(venue: VenueName): number {
  return ROW_IDS[venue];
}

/** Whether the batch with this id has an order at the venue. */
export function hasOrdersAt(batchId: AnyColumn, venue: VenueName): SQL {
  const there = and(eq(batchOrders.batchId, batchId), eq(venueIn(batchOrders.tokenId), venue));
  return sql`exists (select 1 from ${batchOrders} where ${there})`;
}

/** The venues of a batch's orders. */
export async function venuesOfBatch(db: Db, batchId: string): Promise<VenueName[]> {
  const orders = await db
    .select({ tokenId: batchOrders.tokenId })
    .from(batchOrders)
    .where(eq(batchOrders.batchId, batchId));
  return [...new Set(orders.map(({ tokenId }) => venueOf(tokenId)))];
}
