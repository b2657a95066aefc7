import type { EventId, MarketId } from '@dutchbook/units/ids.ts';
import { sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { marketListings } from './table.ts';

/** The events of the markets that the catalogue knows. */
export async function findEvents(db: Db, marketIds: ReadonlySet<MarketId>): Promise<Map<MarketId, EventId>> {
  const { id, eventId } = marketListings;
  // One parameter for all of them: a file names thousands.
  const isWanted = sql`${id} in (select json_array_elements_text(${JSON.stringify([...marketIds])}::json))`;
  const rows = await db.select({ id, eventId }).from(marketListings).where(isWanted);
  return new Map(rows.map((row) => [row.id, row.eventId]));
}
