/**
 * Every write of the placing loop: one transaction each, that first proves the lease, then records facts, and derives
 * from them what orders and batch show. Nothing here talks to a venue.
 */
import { type BatchEvent, batchAfter, isActive } from '@dutchbook/engine/batch/life.ts';
import type { Fill } from '@dutchbook/engine/order/fill.ts';
import { type AttemptEvent, attemptAfter } from '@dutchbook/engine/order/life.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { SignedOrder } from '@dutchbook/venues/venue.ts';
import { and, eq, inArray } from 'drizzle-orm';
import { attempts, batches, batchOrders, fills } from '../../world/schema.ts';
import type { Db, World } from '../../world/world.ts';
import {
  type BatchState,
  derivedBatch,
  derivedOrder,
  loadBatchState,
  newerReport,
  type OrderRecord,
} from './batch-state.ts';
import { type Lease, proveLease } from './lease.ts';

/** What was learned of one attempt; `matchedSize` is the venue's own count, `fills` every trade it told of. */
export type AttemptNews = {
  attemptId: string;
  event?: AttemptEvent;
  reason?: string | null;
  matchedSize?: Shares;
  fills?: readonly (Fill & { orderHash: string; matchedAt: Instant })[];
};

type Writer = Pick<World, 'db' | 'clock' | 'dice'>;
type Change = (tx: Db, state: BatchState) => Promise<void>;

/** Records signed orders as attempts that are prepared, and the batch as processing. */
export async function commitAttempts(
  world: World,
  lease: Lease,
  signed: ReadonlyMap<string, SignedOrder>,
): Promise<BatchState> {
  return await underLease(world, lease, async (tx, state) => {
    const now = world.clock.now();
    const unsigned = state.orders.filter((order) => signed.has(order.id));
    for (const order of unsigned) {
      const { orderHash, salt, payload } = signed.get(order.id) as SignedOrder;
      await tx.insert(attempts).values({
        id: world.dice.uuid(),
        orderId: order.id,
        batchId: state.batch.id,
        orderHash,
        salt,
        payload,
        size: order.size,
        price: order.price,
        status: 'prepared',
        createdAt: now,
        updatedAt: now,
      });
    }
    await moveBatch(tx, world, state, 'started');
  });
}

/** From here on bytes may have left: only the venue's answer can say that they did not. */
export async function markSent(world: World, lease: Lease, attemptIds: readonly string[]): Promise<BatchState> {
  return await underLease(world, lease, async (tx) => {
    const now = world.clock.now();
    await tx
      .update(attempts)
      .set({ status: 'sent', sentAt: now, updatedAt: now })
      .where(and(inArray(attempts.id, [...attemptIds]), eq(attempts.status, 'prepared')));
  });
}

export async function recordNews(world: World, lease: Lease, news: readonly AttemptNews[]): Promise<BatchState> {
  return await underLease(world, lease, async (tx, state) => {
    for (const item of news) await recordAttemptNews(tx, world, state, item);
  });
}

/** Nothing of these orders was sent, and nothing will be: `reason` says why. */
export async function refuseUnsent(world: World, lease: Lease, reason: string): Promise<BatchState> {
  return await underLease(world, lease, async (tx, state) => {
    const now = world.clock.now();
    await tx
      .update(attempts)
      .set({ status: 'failed', reason, updatedAt: now })
      .where(and(eq(attempts.batchId, state.batch.id), eq(attempts.status, 'prepared')));
    const attempted = new Set(state.attempts.map(({ orderId }) => orderId));
    const unattempted = state.orders.filter(({ id }) => !attempted.has(id)).map(({ id }) => id);
    if (unattempted.length > 0) {
      await tx
        .update(batchOrders)
        .set({ status: 'failed', error: reason, updatedAt: now })
        .where(inArray(batchOrders.id, unattempted));
    }
    await tx.update(batches).set({ lastError: reason }).where(eq(batches.id, state.batch.id));
    if (state.batch.status === 'pending') await moveBatch(tx, world, state, 'started');
  });
}

export async function finishBatch(
  world: World,
  lease: Lease,
  event: BatchEvent,
  reason: string | null,
): Promise<BatchState> {
  return await underLease(world, lease, async (tx, state) => {
    if (reason !== null) await tx.update(batches).set({ lastError: reason }).where(eq(batches.id, state.batch.id));
    await moveBatch(tx, world, state, event);
  });
}

async function underLease(world: Writer, lease: Lease, change: Change): Promise<BatchState> {
  return await world.db.transaction(async (tx) => {
    await proveLease(tx, world as World, lease);
    await change(tx, await stateOf(tx, lease.batchId));
    return await deriveShown(tx, world, await stateOf(tx, lease.batchId));
  });
}

async function stateOf(tx: Db, batchId: string): Promise<BatchState> {
  const state = await loadBatchState(tx, batchId);
  if (!state) throw new Error(`batch ${batchId} has a lease but no row`);
  return state;
}

async function recordAttemptNews(tx: Db, world: Writer, state: BatchState, news: AttemptNews): Promise<void> {
  const attempt = state.attempts.find(({ id }) => id === news.attemptId);
  if (!attempt) throw new Error(`news of attempt ${news.attemptId}, which is not of batch ${state.batch.id}`);
  const now = world.clock.now();
  for (const fill of news.fills ?? []) await recordFill(tx, world, state, fill);
  await tx
    .update(attempts)
    .set({
      updatedAt: now,
      ...(news.event === undefined ? {} : { status: attemptAfter(attempt.status, news.event) }),
      ...(news.event === undefined || attempt.answeredAt !== null ? {} : { answeredAt: now }),
      ...(news.matchedSize === undefined ? {} : { matchedSize: news.matchedSize }),
      ...(news.reason === undefined ? {} : { reason: news.reason }),
    })
    .where(eq(attempts.id, attempt.id));
}

async function recordFill(
  tx: Db,
  world: Writer,
  state: BatchState,
  report: NonNullable<AttemptNews['fills']>[number],
): Promise<void> {
  const kept = newerReport(state, report);
  if (kept === null) return;
  const reported = { price: kept.price, size: kept.size, fee: kept.fee, settlement: kept.settlement };
  const row = { ...report, ...reported, batchId: state.batch.id, createdAt: world.clock.now() };
  state.fills.push(row);
  await tx
    .insert(fills)
    .values(row)
    .onConflictDoUpdate({ target: [fills.tradeId, fills.orderHash], set: reported });
}

/** Moves the batch along its life table; a move the table refuses is a bug here, not news. */
async function moveBatch(tx: Db, world: Writer, state: BatchState, event: BatchEvent): Promise<void> {
  const now = world.clock.now();
  const next = batchAfter(state.batch.status, event);
  if (next.kind === 'refused') throw new Error(`batch ${state.batch.id}: ${next.reason}`);
  const started = state.batch.executionStartedAt ?? now;
  await tx
    .update(batches)
    .set({
      status: next.status,
      executionStartedAt: started,
      ...(isActive(next.status) ? {} : { executionCompletedAt: now }),
    })
    .where(eq(batches.id, state.batch.id));
}

/** Writes what orders and batch show where it no longer agrees with the attempts and fills. */
async function deriveShown(tx: Db, world: Writer, state: BatchState): Promise<BatchState> {
  const now = world.clock.now();
  for (const order of state.orders) {
    const shown = shownOrder(state, order);
    if (sameFields(order, shown)) continue;
    await tx
      .update(batchOrders)
      .set({ ...shown, updatedAt: now })
      .where(eq(batchOrders.id, order.id));
    Object.assign(order, shown, { updatedAt: now });
  }
  const derived = { ...derivedBatch(state), updatedAt: now };
  await tx.update(batches).set(derived).where(eq(batches.id, state.batch.id));
  Object.assign(state.batch, derived);
  return state;
}

function shownOrder(state: BatchState, order: OrderRecord): Partial<OrderRecord> {
  const latest = state.attempts.findLast(({ orderId }) => orderId === order.id);
  return latest === undefined ? {} : { ...derivedOrder(state, order), error: latest.reason ?? order.warning };
}

function sameFields(order: OrderRecord, shown: Partial<OrderRecord>): boolean {
  return Object.entries(shown).every(([name, value]) => order[name as keyof OrderRecord] === value);
}
