import type { AttemptStatus } from '@dutchbook/engine/order/life.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { VenueOrder } from '@dutchbook/venues/venue.ts';
import { and, count, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { venueIn } from '../../platform/database/columns.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { attempts } from '../orders/table.ts';
import { externalOrders } from './table.ts';

export type ExternalOrderRow = typeof externalOrders.$inferSelect;

type Filter = { standing?: boolean | undefined; venue?: VenueName | undefined };

/** Newest first; `standing` leaves out those that have ended, or those that have not. */
export async function listExternalOrders(
  db: Db,
  { skip, limit, standing, venue }: { skip: number; limit: number } & Filter,
): Promise<{ rows: ExternalOrderRow[]; count: number }> {
  const { endedAt, tokenId } = externalOrders;
  const where = and(
    standing === undefined ? undefined : standing ? isNull(endedAt) : isNotNull(endedAt),
    venue && eq(venueIn(tokenId), venue),
  );
  const rows = await db
    .select()
    .from(externalOrders)
    .where(where)
    .orderBy(desc(externalOrders.seenAt), desc(externalOrders.orderHash))
    .offset(skip)
    .limit(limit);
  const [total] = await db.select({ count: count() }).from(externalOrders).where(where);
  return { rows, count: total?.count ?? 0 };
}

/** External orders of the account at the venue that still stand. */
export async function standingExternalOrders(db: Db, venue: VenueName): Promise<ExternalOrderRow[]> {
  const isThere = eq(venueIn(externalOrders.tokenId), venue);
  return await db
    .select()
    .from(externalOrders)
    .where(and(isNull(externalOrders.endedAt), isThere));
}

/** The state of those orders that were placed here: each is recorded before it leaves. */
export async function placedHere(
  db: Db,
  orders: readonly Pick<VenueOrder, 'orderHash'>[],
): Promise<Map<string, AttemptStatus>> {
  if (orders.length === 0) return new Map();
  const hashes = orders.map(({ orderHash }) => orderHash);
  const ours = await db
    .select({ orderHash: attempts.orderHash, status: attempts.status })
    .from(attempts)
    .where(inArray(attempts.orderHash, hashes));
  return new Map(ours.map(({ orderHash, status }) => [orderHash, status]));
}

/** Where an order stands now by the venue's own word. */
export async function updateExternalOrder(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  row: ExternalOrderRow,
  order: Pick<VenueOrder, 'matchedSize' | 'status'> | null,
): Promise<void> {
  const matchedSize = order?.matchedSize ?? row.matchedSize;
  const stands = order?.status === 'open' || order?.status === 'delayed';
  const endedAt = stands ? null : (row.endedAt ?? clock.now());
  if (matchedSize === row.matchedSize && endedAt === row.endedAt) return;
  await db.update(externalOrders).set({ matchedSize, endedAt }).where(eq(externalOrders.orderHash, row.orderHash));
}
