/**
 * Every write of the batch runner: one transaction each, that first proves the lease, then records what the venue reported, and derives
 * from them what orders and batch show. Nothing here talks to a venue.
 */

import { type BatchEvent, batchAfter, isActive } from '@dutchbook/engine/batch/life.ts';
import type { AttemptUpdate } from '@dutchbook/engine/order/attempt-update.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { SignedOrder } from '@dutchbook/venues/venue.ts';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { lock } from '../../../platform/database/locks.ts';
import { insertOf } from '../../../platform/database/many-rows.ts';
import { noEarlier } from '../../../platform/database/update-time.ts';
import { together } from '../../../platform/database/write-together.ts';
import type { Db, Runtime } from '../../../platform/runtime/runtime.ts';
import { type AttemptRecord, type BatchState, hasEnded, type OrderRecord, orderOf } from '../../orders/batch-state.ts';
import { isBought } from '../../orders/derived-rows.ts';
import { DISARMED } from '../../orders/intents.ts';
import { attempts, batches, batchOrders } from '../../orders/table.ts';
import { requestEnds } from '../../orders/waiting-sales.ts';
import { armedUntilEnd } from '../../trading-controls/store.ts';
import { type JudgeAgain, RefusedMeanwhile } from '../placing/retry.ts';
import { applyAttemptUpdates } from './attempt-writes.ts';
import { type Lease, proveLease } from './batch-lease.ts';
import type { BookPrices } from './book-prices.ts';
import { type Change, derived, moveBatch, moved, stateOf, underLease, type Writer } from './under-lease.ts';

/** One signed order, of an order's shares at a price; a retry signs for what is missing at the price at that time. */
export type SignedAttempt = {
  orderId: string;
  signed: SignedOrder;
  size: Shares;
  price: Price;
  feeRate: Fraction | null;
} & BookPrices;

/** `judgeAgain`: of a retry, which every gate is asked again. `isMarked`: its orders leave at once, so they are recorded as sent. */
type Committing = { judgeAgain?: JudgeAgain | undefined; isMarked?: boolean };

/**
 * Records signed orders as attempts that are prepared, or sent, and a batch that is about to buy as processing; nothing where the
 * end of that was asked for.
 * @throws RefusedMeanwhile
 */
export async function commitAttempts(
  runtime: Runtime,
  lease: Lease,
  signed: readonly SignedAttempt[],
  { judgeAgain, isMarked = false }: Committing = {},
): Promise<BatchState> {
  const commit: Change = async (tx, state) => {
    const { batch } = state;
    if (isActive(batch.status) && batch.cancelRequestedAt !== null) return;
    const now = runtime.clock.now();
    const rows = signed.map(({ orderId, signed: { orderHash, salt, payload }, ...terms }) => ({
      id: runtime.random.uuid(),
      orderId,
      batchId: batch.id,
      orderHash,
      salt,
      payload,
      ...terms,
      ...(isMarked ? { status: 'sent' as const, sentAt: now } : { status: 'prepared' as const }),
      reserved: true,
      createdAt: now,
      updatedAt: now,
    }));
    await tx.execute(insertOf(attempts, rows));
    const repriced = signed.filter(({ orderId, price }) => orderOf(state, orderId).price !== price);
    for (const { orderId, price } of repriced)
      await tx.update(batchOrders).set({ price }).where(eq(batchOrders.id, orderId));
    if (isActive(batch.status) && batch.status !== 'processing')
      await moveBatch(tx, runtime, state, { event: 'started' });
    if (isMarked) await countRetry(tx, batch);
  };
  return await underLease(runtime, lease, commit, unlessRefused(judgeAgain));
}

/**
 * From here on bytes may have left: only the venue's answer can say that they did not. Nothing is marked, and so nothing
 * is sent, of a batch whose end was asked for while it was buying, or whose trading is disarmed: the caller who asked for that
 * waited for this transaction, or this waited for them. `judgeAgain`: of a batch whose dollars were free for others, which takes
 * them again.
 * @throws RefusedMeanwhile
 */
export async function markSent(
  runtime: Runtime,
  lease: Lease,
  attemptIds: readonly string[],
  judgeAgain?: JudgeAgain,
): Promise<BatchState> {
  const mark: Change = async (tx, state) => {
    const now = runtime.clock.now();
    const leaving = state.attempts
      .filter(({ id }) => attemptIds.includes(id))
      .filter((each) => mayStillLeave(state, each));
    await tx
      .update(attempts)
      .set({ status: 'sent', sentAt: now, reason: null, updatedAt: now })
      .where(
        and(
          inArray(
            attempts.id,
            leaving.map(({ id }) => id),
          ),
          eq(attempts.status, 'prepared'),
        ),
      );
    if (state.batch.releasedAt !== null)
      await tx.update(batches).set({ releasedAt: null }).where(eq(batches.id, state.batch.id));
    await countRetry(tx, state.batch);
  };
  return await unlessDisarmed(runtime, lease, mark, unlessRefused(judgeAgain));
}

/** Releases the dollars reserved by a batch that still waits for its slot. */
export async function releaseDollars(runtime: Runtime, lease: Lease): Promise<BatchState> {
  return await underLease(runtime, lease, async (tx, { batch }) => {
    await tx.update(batches).set({ releasedAt: runtime.clock.now() }).where(eq(batches.id, batch.id));
  });
}

function unlessRefused(judgeAgain: JudgeAgain = async () => []): (tx: Db) => Promise<void> {
  return async (tx) => {
    const reasons = await judgeAgain(tx);
    if (reasons.length > 0) throw new RefusedMeanwhile(reasons);
  };
}

/** Whether the sale that it is signed for is not to end yet. */
export function mayStillLeave(state: BatchState, { orderId }: Pick<AttemptRecord, 'orderId'>): boolean {
  return orderOf(state, orderId).cancelRequestedAt === null;
}

/** A retry counts once an order of it is sent: `retryCounted` says that the one asked for last does. */
async function countRetry(tx: Db, { id, status, retryCount, retryCounted }: BatchState['batch']): Promise<void> {
  if (retryCounted || !isActive(status)) return;
  await tx
    .update(batches)
    .set({ retryCount: retryCount + 1, retryCounted: true })
    .where(eq(batches.id, id));
}

/** Proves that what is marked as sent may leave once more. Where it may not, the end of the batch has been asked for. */
export async function markSentAgain(runtime: Runtime, lease: Lease): Promise<BatchState> {
  return await unlessDisarmed(runtime, lease, async () => {});
}

/** Does nothing to a batch that is buying and may not; disarmed trading asks for its end. Sales may leave either way. */
async function unlessDisarmed(
  runtime: Runtime,
  lease: Lease,
  change: Change,
  lockFirst: (tx: Db) => Promise<void> = async () => {},
): Promise<BatchState> {
  let armedAt: (venue: VenueName) => boolean = () => false;
  const readArming = async (tx: Db) => {
    await lockFirst(tx);
    armedAt = await armedUntilEnd(tx, runtime.config.venueMode);
  };
  const ifAllowed: Change = async (tx, state) => {
    const { batch } = state;
    if (!isActive(batch.status)) return await change(tx, state);
    if (batch.cancelRequestedAt !== null) return;
    if (state.orders.every(({ tokenId }) => armedAt(venueOf(tokenId)))) return await change(tx, state);
    await requestEnd(tx, runtime, batch, DISARMED);
  };
  return await underLease(runtime, lease, ifAllowed, readArming);
}

/** Posts of these attempts have not been answered: until they are, it is not known whether the venue has the orders. */
export async function recordUnanswered(
  runtime: Runtime,
  lease: Lease,
  attemptIds: readonly string[],
): Promise<BatchState> {
  return await underLease(runtime, lease, async (tx) => {
    const silent = and(
      inArray(attempts.id, [...attemptIds]),
      inArray(attempts.status, ['sent', 'unknown']),
      isNull(attempts.unknownReason),
    );
    const updatedAt = runtime.clock.now();
    const unknownReason = 'the venue has not answered yet';
    await tx.update(attempts).set({ status: 'unknown', unknownReason, updatedAt }).where(silent);
  });
}

/** Updates of attempts. A batch that is bought with them has completed. */
export async function recordAttemptUpdates(
  runtime: Runtime,
  lease: Lease,
  updates: readonly AttemptUpdate[],
): Promise<BatchState> {
  let wasActive = false;
  const after = await runtime.db.transaction(async (tx) => {
    await proveLease(tx, runtime, lease);
    const before = await stateOf(tx, lease.batchId);
    wasActive = isActive(before.batch.status);
    const { state, writes } = applyAttemptUpdates(tx, before, updates, runtime.clock.now());
    const also = isBought(state) ? moved(runtime, state, 'completed') : {};
    return await derived(tx, runtime, before, { changed: state, writes, also });
  });
  if (wasActive && !isActive(after.batch.status)) runtime.pass('batch_ended');
  return after;
}

/** Records the fills of simulated orders: `meet` decides them under a lock, so that no other takes from the same books. */
export async function recordSimulated(
  runtime: Runtime,
  lease: Lease,
  meet: (tx: Db, state: BatchState) => Promise<readonly AttemptUpdate[]>,
): Promise<BatchState> {
  const change: Change = async (tx, state) => {
    const { writes } = applyAttemptUpdates(tx, state, await meet(tx, state), runtime.clock.now());
    if (writes.length > 0) await tx.execute(together(writes));
    await countRetry(tx, state.batch);
  };
  return await underLease(runtime, lease, change, (tx) => lock(tx, 'spending'));
}

/** Nothing of these orders was sent, and nothing will be: `reason` says why. Of buys, their batch shows it too. */
export async function refuseUnsent(
  runtime: Runtime,
  lease: Lease,
  orderIds: readonly string[],
  reason: string,
): Promise<BatchState> {
  return await underLease(runtime, lease, async (tx, state) => {
    const now = runtime.clock.now();
    const { batch } = state;
    await tx
      .update(attempts)
      .set({ status: 'failed', reason, endedAt: now, updatedAt: now })
      .where(and(inArray(attempts.orderId, [...orderIds]), eq(attempts.status, 'prepared')));
    const attempted = new Set(state.attempts.map(({ orderId }) => orderId));
    const unattempted = orderIds.filter((id) => !attempted.has(id));
    if (unattempted.length > 0) {
      await tx
        .update(batchOrders)
        .set({ status: 'failed', error: reason, errorKind: null, updatedAt: noEarlier(batchOrders.updatedAt, now) })
        .where(inArray(batchOrders.id, unattempted));
    }
    if (!isActive(batch.status)) return;
    await tx.update(batches).set({ lastError: reason }).where(eq(batches.id, batch.id));
    if (batch.status !== 'processing') await moveBatch(tx, runtime, state, { event: 'started' });
  });
}

/** These attempts never left, and never will. */
export async function abandonPrepared(
  runtime: Runtime,
  lease: Lease,
  attemptIds: readonly string[],
  reason: string,
): Promise<BatchState> {
  const now = runtime.clock.now();
  return await underLease(runtime, lease, async (tx) => {
    await tx
      .update(attempts)
      .set({ status: 'failed', reason, endedAt: now, updatedAt: now })
      .where(and(inArray(attempts.id, [...attemptIds]), eq(attempts.status, 'prepared')));
  });
}

/** Asks for the end of a batch on behalf of the product itself, because trading is disarmed. */
export async function stopBatch(runtime: Runtime, lease: Lease, reason: string): Promise<BatchState> {
  return await underLease(runtime, lease, (tx, { batch }) => requestEnd(tx, runtime, batch, reason));
}

/** Asks for the end of sales that wait on behalf of the product itself, because trading is disarmed. */
export async function stopWaitingSales(
  runtime: Runtime,
  lease: Lease,
  sales: readonly OrderRecord[],
): Promise<BatchState> {
  return await underLease(runtime, lease, (tx) => requestEnds(tx, runtime.clock.now(), sales, 'disarmed'));
}

async function requestEnd(tx: Db, { clock }: Writer, batch: BatchState['batch'], reason: string): Promise<void> {
  await tx
    .update(batches)
    .set({ cancelRequestedAt: batch.cancelRequestedAt ?? clock.now(), lastError: reason })
    .where(eq(batches.id, batch.id));
}

/**
 * All sell orders of the batch have ended; `soldOut`: nothing that could be sold is left of what was filled. Nothing is
 * written where another sale was recorded while that was asked: its orders have to leave first.
 */
export async function finishSales(runtime: Runtime, lease: Lease, soldOut: boolean): Promise<BatchState> {
  return await underLease(runtime, lease, async (tx, state) => {
    const { batch, sales } = state;
    if (!sales.every((sale) => hasEnded(state, sale))) return;
    const soldAt = soldOut ? runtime.clock.now() : null;
    await tx.update(batches).set({ saleUnderWay: false, soldAt }).where(eq(batches.id, batch.id));
    if (soldOut && batchAfter(batch.status, 'sold').kind === 'moved')
      await moveBatch(tx, runtime, state, { event: 'sold' });
  });
}

/** Everything that had not ended at `requestedAt` has been read since. */
export async function finishPollRequest(runtime: Runtime, lease: Lease, requestedAt: Instant): Promise<BatchState> {
  return await underLease(runtime, lease, async (tx, { batch }) => {
    await tx
      .update(batches)
      .set({ pollRequestedAt: null })
      .where(and(eq(batches.id, batch.id), eq(batches.pollRequestedAt, requestedAt)));
  });
}

/**
 * Moves the batch by an event of its life; `reason` says why it is not what it was meant to be. Nothing is moved where its
 * end was asked for since it was `judged`: the caller was answered that it will end so, and it is judged again with that.
 */
export async function finishBatch(
  runtime: Runtime,
  lease: Lease,
  judged: BatchState,
  { event, reason }: { event: BatchEvent; reason: string | null },
): Promise<BatchState> {
  return await underLease(runtime, lease, async (tx, state) => {
    const { batch } = state;
    if (batch.cancelRequestedAt !== judged.batch.cancelRequestedAt) return;
    if (event === 'canceled') await cancelUnattempted(tx, runtime, state);
    await moveBatch(tx, runtime, state, { event, lastError: reason });
  });
}

async function cancelUnattempted(tx: Db, { clock }: Writer, { orders, attempts: made }: BatchState): Promise<void> {
  const attempted = new Set(made.map(({ orderId }) => orderId));
  const unattempted = orders.filter(({ id }) => !attempted.has(id)).map(({ id }) => id);
  if (unattempted.length === 0) return;
  await tx
    .update(batchOrders)
    .set({ status: 'canceled', updatedAt: noEarlier(batchOrders.updatedAt, clock.now()) })
    .where(inArray(batchOrders.id, unattempted));
}
