/** Sales that wait in the book: which of a batch do, and how their end is asked for. */
import { waitingCancelRefusal } from '@dutchbook/engine/batch/actions.ts';
import { LAST_INSTANT } from '@dutchbook/engine/batch/next-step.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, eq, exists, inArray, isNull, or, sql } from 'drizzle-orm';
import { venueIn } from '../../platform/database/columns.ts';
import { noEarlier, notBefore } from '../../platform/database/update-time.ts';
import type { Clock, Db } from '../../platform/runtime/runtime.ts';
import { attemptsOf, type BatchState, hasEnded, loadBatch, type OrderRecord, orderOf } from './batch-state.ts';
import { lockBatch } from './batch-store.ts';
import { attempts, batches, batchOrders, type CancelReason, UNDECIDED_ATTEMPTS } from './table.ts';

/** The end of a waiting sale: the past once its end was requested; null for an order that does not wait. */
export function waitsUntil({ waits, waitsUntil: until, cancelRequestedAt }: OrderRecord): Instant | null {
  if (!waits) return null;
  return cancelRequestedAt ?? until ?? LAST_INSTANT;
}

/** Sales of which nothing has left, and nothing may any more because their end was asked for. */
export function unsentCanceledSales(state: BatchState): OrderRecord[] {
  return state.sales
    .filter(({ cancelRequestedAt }) => cancelRequestedAt !== null)
    .filter(({ id }) => attemptsOf(state, id).every(({ status }) => status === 'prepared'))
    .filter((sale) => !hasEnded(state, sale));
}

/** Sales that wait and are not to end yet. */
export function waitingSales(state: BatchState): OrderRecord[] {
  return state.sales.filter((sale) => sale.waits && sale.cancelRequestedAt === null && !hasEnded(state, sale));
}

/** `repeated`: it was asked for already. `reason` is a sentence. */
export type SaleCancel =
  | { kind: 'requested'; batchId: string; repeated: boolean }
  | { kind: 'refused'; reason: string };

/** Asks for the end of a sale that waits. Null where there is no such order. */
export async function requestSaleCancel(
  tx: Db,
  { clock }: { clock: Clock },
  orderId: string,
): Promise<SaleCancel | null> {
  const [found] = await tx
    .select({ batchId: batchOrders.batchId })
    .from(batchOrders)
    .where(eq(batchOrders.id, orderId));
  if (found === undefined || (await lockBatch(tx, found.batchId)) === null) return null;
  const state = await loadBatch(tx, found.batchId);
  if (state === null) return null;
  const order = orderOf(state, orderId);
  const reason = waitingCancelRefusal({ ...order, hasEnded: hasEnded(state, order) });
  if (reason !== null) return { kind: 'refused', reason: `${reason}.` };
  const repeated = order.cancelRequestedAt !== null;
  if (!repeated) await requestEnds(tx, clock.now(), [order], 'canceled');
  return { kind: 'requested', batchId: order.batchId, repeated };
}

/** After the batch of these sales was locked. */
export async function requestEnds(
  tx: Db,
  now: Instant,
  sales: readonly OrderRecord[],
  cancelReason: CancelReason,
): Promise<void> {
  for (const sale of sales)
    await tx
      .update(batchOrders)
      .set({ cancelRequestedAt: now, cancelReason, updatedAt: notBefore(sale, now) })
      .where(eq(batchOrders.id, sale.id));
}

/** Asks for the end of every sale that waits at that venue. Their batches are locked first, as by all who write to orders. */
export async function cancelWaitingSales(tx: Db, { clock }: { clock: Clock }, venue: VenueName): Promise<void> {
  const now = clock.now();
  const isUndecided = and(eq(attempts.orderId, batchOrders.id), inArray(attempts.status, [...UNDECIDED_ATTEMPTS]));
  const isWaiting = and(
    eq(batchOrders.waits, true),
    isNull(batchOrders.cancelRequestedAt),
    eq(venueIn(batchOrders.tokenId), venue),
    or(eq(batchOrders.status, 'pending'), exists(tx.select({ one: sql`1` }).from(attempts).where(isUndecided))),
  );
  const theirs = tx.select({ id: batchOrders.batchId }).from(batchOrders).where(isWaiting);
  const locked = await tx
    .update(batches)
    .set({ updatedAt: noEarlier(batches.updatedAt, now) })
    .where(and(eq(batches.saleUnderWay, true), inArray(batches.id, theirs)))
    .returning({ id: batches.id });
  if (locked.length === 0) return;
  await tx
    .update(batchOrders)
    .set({ cancelRequestedAt: now, cancelReason: 'disarmed', updatedAt: noEarlier(batchOrders.updatedAt, now) })
    .where(
      and(
        isWaiting,
        inArray(
          batchOrders.batchId,
          locked.map(({ id }) => id),
        ),
      ),
    );
}
