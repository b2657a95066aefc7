/**
 * Every write of the placing loop: one transaction each, that first proves the lease, then records facts, and derives
 * from them what orders and batch show. Nothing here talks to a venue.
 */
import { type BatchEvent, batchAfter, isActive } from '@dutchbook/engine/batch/life.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { SignedOrder } from '@dutchbook/venues/venue.ts';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { insertOf } from '../../world/many-rows.ts';
import { attempts, batches, batchOrders } from '../../world/schema.ts';
import { noEarlier, notBefore } from '../../world/update-time.ts';
import type { Db, World } from '../../world/world.ts';
import { type AttemptNews, NOT_ANSWERED } from './attempt-news.ts';
import { recordFills, recordOnAttempts } from './attempt-writes.ts';
import { failedTrades, tellOfBatch, tellOfFailedTrades } from './batch-news.ts';
import { type BatchState, derivedBatch, hasEnded, loadBatchState, orderOf, resettledAs } from './batch-state.ts';
import { type Lease, proveLease } from './lease.ts';
import { showOrders } from './shown-orders.ts';

type Writer = Pick<World, 'db' | 'clock' | 'databaseNow' | 'dice' | 'notices' | 'log'>;
type Change = (tx: Db, state: BatchState) => Promise<void>;

/** One signed order, of an order's shares at a price; a retry signs for what is missing at the price of then. */
export type SignedAttempt = { orderId: string; signed: SignedOrder; size: Shares; price: Price };

/** What was decided does not hold any more where it is recorded: nothing is. `reasons` are sentences. */
export class RefusedMeanwhile extends Error {
  override readonly name = 'RefusedMeanwhile';
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(reasons.join(' '));
    this.reasons = reasons;
  }
}

/**
 * Records signed orders as attempts that are prepared, and a batch that is about to buy as processing.
 * @throws RefusedMeanwhile
 */
export async function commitAttempts(
  world: World,
  lease: Lease,
  signed: readonly SignedAttempt[],
  refusedMeanwhile: (tx: Db) => Promise<string[]> = async () => [],
): Promise<BatchState> {
  return await underLease(world, lease, async (tx, state) => {
    const { batch } = state;
    const reasons = await refusedMeanwhile(tx);
    if (reasons.length > 0) throw new RefusedMeanwhile(reasons);
    const now = world.clock.now();
    const rows = signed.map(({ orderId, signed: { orderHash, salt, payload }, size, price }) => ({
      id: world.dice.uuid(),
      orderId,
      batchId: batch.id,
      orderHash,
      salt,
      payload,
      size,
      price,
      status: 'prepared' as const,
      createdAt: now,
      updatedAt: now,
    }));
    await tx.execute(insertOf(attempts, rows));
    const repriced = signed.filter(({ orderId, price }) => orderOf(state, orderId).price !== price);
    for (const { orderId, price } of repriced)
      await tx.update(batchOrders).set({ price }).where(eq(batchOrders.id, orderId));
    if (isActive(batch.status) && batch.status !== 'processing') await moveBatch(tx, world, state, 'started');
  });
}

/**
 * From here on bytes may have left: only the venue's answer can say that they did not. Nothing is marked, and so nothing
 * is sent, of a batch whose end was asked for while it was buying: whoever asked for it waited for this row, or this
 * waited for them.
 */
export async function markSent(world: World, lease: Lease, attemptIds: readonly string[]): Promise<BatchState> {
  return await underLease(world, lease, async (tx, { batch }) => {
    if (isActive(batch.status) && batch.cancelRequestedAt !== null) return;
    const now = world.clock.now();
    await tx
      .update(attempts)
      .set({ status: 'sent', sentAt: now, reason: null, updatedAt: now })
      .where(and(inArray(attempts.id, [...attemptIds]), eq(attempts.status, 'prepared')));
  });
}

/** Posts of these attempts have not been answered: until they are, it is not known whether the venue has the orders. */
export async function noteSilence(world: World, lease: Lease, attemptIds: readonly string[]): Promise<BatchState> {
  return await underLease(world, lease, async (tx) => {
    const silent = and(inArray(attempts.id, [...attemptIds]), eq(attempts.status, 'sent'), isNull(attempts.reason));
    await tx.update(attempts).set({ reason: NOT_ANSWERED, updatedAt: world.clock.now() }).where(silent);
  });
}

export async function recordNews(world: World, lease: Lease, news: readonly AttemptNews[]): Promise<BatchState> {
  return await underLease(world, lease, async (tx, state) => {
    await recordFills(tx, world, state, news);
    await recordOnAttempts(tx, world, state, news);
  });
}

/** Nothing of these orders was sent, and nothing will be: `reason` says why. Of buys, their batch shows it too. */
export async function refuseUnsent(
  world: World,
  lease: Lease,
  orderIds: readonly string[],
  reason: string,
): Promise<BatchState> {
  return await underLease(world, lease, async (tx, state) => {
    const now = world.clock.now();
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
        .set({ status: 'failed', error: reason, updatedAt: noEarlier(batchOrders.updatedAt, now) })
        .where(inArray(batchOrders.id, unattempted));
    }
    if (!isActive(batch.status)) return;
    await tx.update(batches).set({ lastError: reason }).where(eq(batches.id, batch.id));
    if (batch.status !== 'processing') await moveBatch(tx, world, state, 'started');
  });
}

/** These attempts never left, and never will. */
export async function abandonPrepared(
  world: World,
  lease: Lease,
  attemptIds: readonly string[],
  reason: string,
): Promise<BatchState> {
  const now = world.clock.now();
  return await underLease(world, lease, async (tx) => {
    await tx
      .update(attempts)
      .set({ status: 'failed', reason, endedAt: now, updatedAt: now })
      .where(and(inArray(attempts.id, [...attemptIds]), eq(attempts.status, 'prepared')));
  });
}

/** Asks for the end of a batch on behalf of the product itself, because trading is disarmed. */
export async function stopBatch(world: World, lease: Lease, reason: string): Promise<BatchState> {
  return await underLease(world, lease, async (tx, { batch }) => {
    await tx
      .update(batches)
      .set({ cancelRequestedAt: batch.cancelRequestedAt ?? world.clock.now(), lastError: reason })
      .where(eq(batches.id, batch.id));
  });
}

/**
 * All sell orders of the batch have ended; `soldOut`: nothing that could be sold is left of what was filled. Nothing is
 * written where another sale was recorded while that was asked: its orders have to leave first.
 */
export async function finishSales(world: World, lease: Lease, soldOut: boolean): Promise<BatchState> {
  return await underLease(world, lease, async (tx, state) => {
    const { batch, sales } = state;
    if (!sales.every((sale) => hasEnded(state, sale))) return;
    const soldAt = soldOut ? world.clock.now() : null;
    await tx.update(batches).set({ saleUnderWay: false, soldAt }).where(eq(batches.id, batch.id));
    if (soldOut && batchAfter(batch.status, 'sold').kind === 'moved') await moveBatch(tx, world, state, 'sold');
  });
}

/** Everything that had not ended at `requestedAt` has been read since. */
export async function finishLook(world: World, lease: Lease, requestedAt: Instant): Promise<BatchState> {
  return await underLease(world, lease, async (tx, { batch }) => {
    await tx
      .update(batches)
      .set({ lookRequestedAt: null })
      .where(and(eq(batches.id, batch.id), eq(batches.lookRequestedAt, requestedAt)));
  });
}

/**
 * Moves the batch by an event of its life; `reason` says why it is not what it was meant to be. Nothing is moved where its
 * end was asked for since it was `judged`: whoever asked was told that it will end so, and it is judged again with that.
 */
export async function finishBatch(
  world: World,
  lease: Lease,
  judged: BatchState,
  { event, reason }: { event: BatchEvent; reason: string | null },
): Promise<BatchState> {
  return await underLease(world, lease, async (tx, state) => {
    if (state.batch.cancelRequestedAt !== judged.batch.cancelRequestedAt) return;
    if (reason !== null) await tx.update(batches).set({ lastError: reason }).where(eq(batches.id, state.batch.id));
    if (event === 'canceled') await cancelUnattempted(tx, world, state);
    await moveBatch(tx, world, state, event);
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

async function underLease(world: Writer, lease: Lease, change: Change): Promise<BatchState> {
  return await world.db.transaction(async (tx) => {
    await proveLease(tx, world, lease);
    const before = await stateOf(tx, lease.batchId);
    const failedBefore = failedTrades(before);
    await change(tx, before);
    const after = await keptInLine(tx, world, await deriveShown(tx, world, await stateOf(tx, lease.batchId)));
    await tellOfFailedTrades(tx, world, failedBefore, after);
    await tellOfBatch(tx, world, before.batch, after.batch);
    return after;
  });
}

async function stateOf(tx: Db, batchId: string): Promise<BatchState> {
  const state = await loadBatchState(tx, batchId);
  if (!state) throw new Error(`batch ${batchId} has a lease but no row`);
  return state;
}

/** Moves the batch along its life table; a move the table refuses is a bug here, not news. */
async function moveBatch(tx: Db, world: Writer, state: BatchState, event: BatchEvent): Promise<void> {
  const now = world.clock.now();
  const next = batchAfter(state.batch.status, event);
  if (next.kind === 'refused') throw new Error(`batch ${state.batch.id}: ${next.reason}`);
  const { batch } = state;
  const ends = isActive(batch.status) && !isActive(next.status);
  await tx
    .update(batches)
    .set({
      status: next.status,
      executionStartedAt: batch.executionStartedAt ?? now,
      ...(ends ? { executionCompletedAt: now } : {}),
    })
    .where(eq(batches.id, batch.id));
}

const UNDONE = 'A trade was undone or turned up after the batch had ended.';

/**
 * A batch that has ended follows its fills in the transaction that records them: once all of them have settled nobody
 * looks at it again.
 */
async function keptInLine(tx: Db, world: Writer, state: BatchState): Promise<BatchState> {
  const event = resettledAs(state);
  if (event === null) return state;
  const { id, status } = state.batch;
  world.log.warn({ batchId: id, from: status, to: event }, 'a batch that had ended ends otherwise');
  await tx.update(batches).set({ lastError: UNDONE }).where(eq(batches.id, id));
  await moveBatch(tx, world, state, event);
  return await stateOf(tx, id);
}

/** Writes what orders and batch show where it no longer agrees with the attempts and fills. */
async function deriveShown(tx: Db, world: Writer, state: BatchState): Promise<BatchState> {
  const now = world.clock.now();
  await showOrders(tx, state, now);
  const derived = { ...derivedBatch(state, now), updatedAt: notBefore(state.batch, now) };
  await tx.update(batches).set(derived).where(eq(batches.id, state.batch.id));
  Object.assign(state.batch, derived);
  return state;
}
