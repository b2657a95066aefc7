/**
 * The loop that carries out what batches record. It owns a batch by a lease of seconds, looks at what is committed, does
 * the next step, and starts over; so a process that has just started and one that has been running do the same thing.
 */

import { isActive } from '@dutchbook/engine/batch/life.ts';
import { nextStep } from '@dutchbook/engine/batch/next-step.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { UserStream, Venue, VenueTrading } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { unfinishedBatchIds } from '../../batches/store.ts';
import type { Placing, Quotes, StreamHub, TradingControls } from '../../parts.ts';
import { attempts } from '../../world/schema.ts';
import type { World } from '../../world/world.ts';
import type { Account } from '../account.ts';
import { type BatchState, deadlineOf, isFinalOrder, loadBatchState, positionsOf } from './batch-state.ts';
import { type Inquiries, newInquiries } from './inquiries.ts';
import { type Lease, LeaseLost, releaseLease, takeLease } from './lease.ts';
import {
  cancelAttempts,
  readAttempts,
  resolveAttempts,
  type StepTools,
  sendAttempts,
  settleBatch,
  signOrders,
} from './placing-steps.ts';
import { publishBatch } from './publish.ts';
import { reassess } from './reassess.ts';
import { prepareSimulated, simulateOrders } from './simulated-batch.ts';

/** How often the loop looks for work that nobody called it to: batches of a process that died, lost stream events. */
const LOOK_EVERY_MS = 1000;

export type PlacingParts = {
  world: World;
  venue: Venue;
  quotes: Quotes;
  stream: StreamHub;
  account: Account;
  controls: TradingControls;
};

/** Resolves when it knows what an earlier run left behind; until all of that is reconciled, `isReconciled` is false. */
export async function startPlacing(parts: PlacingParts): Promise<Placing> {
  const { world, venue } = parts;
  const { trading } = venue;
  if (trading === null) return { wake: () => {}, isReconciled: () => true, stop: async () => {} };

  const owner = world.dice.uuid();
  const inquiries = newInquiries();
  const running = new Map<string, Promise<void>>();
  const calledAgain = new Set<string>();
  const startedAt = world.clock.now();
  const leftBehind = new Set(await unfinishedBatchIds(world.db));
  let stopped = false;

  function wake(batchId: string): void {
    if (stopped) return;
    if (running.has(batchId)) {
      calledAgain.add(batchId);
      return;
    }
    const work = workOn(parts, trading as VenueTrading, owner, inquiries, batchId)
      .then(async (pauseMs) => {
        if (leftBehind.has(batchId) && (await isReconciled(world, batchId, startedAt))) leftBehind.delete(batchId);
        if (pauseMs !== null && pauseMs < LOOK_EVERY_MS) world.timers.after(pauseMs, () => wake(batchId));
      })
      .catch((error: unknown) => world.log.error({ err: error, batchId }, 'work on a batch was broken off'))
      .finally(() => {
        running.delete(batchId);
        if (calledAgain.delete(batchId)) wake(batchId);
      });
    running.set(batchId, work);
  }

  async function wakeAll(): Promise<void> {
    const unfinished = new Set(await unfinishedBatchIds(world.db));
    for (const batchId of leftBehind) if (!unfinished.has(batchId)) leftBehind.delete(batchId);
    for (const batchId of unfinished) wake(batchId);
  }

  const userStream = listenToVenue(parts, inquiries, wake, wakeAll);
  const cancelLook = world.timers.every(LOOK_EVERY_MS, wakeAll);
  await wakeAll();
  return {
    wake,
    isReconciled: () => leftBehind.size === 0,
    async stop() {
      stopped = true;
      cancelLook();
      await userStream.close();
      await Promise.all(running.values());
    },
  };
}

/** Whether nothing of this batch is in doubt: all that was sent is answered for, and what stands was read since then. */
async function isReconciled({ db }: World, batchId: string, since: Instant): Promise<boolean> {
  const state = await loadBatchState(db, batchId);
  if (state === null || !isActive(state.batch.status)) return true;
  const final = new Set(state.orders.filter((order) => isFinalOrder(state, order)).map(({ id }) => id));
  return state.attempts
    .filter(({ orderId, status }) => !final.has(orderId) && status !== 'refused' && status !== 'failed')
    .every(({ status, updatedAt }) => status !== 'prepared' && status !== 'sent' && updatedAt >= since);
}

/** What the venue tells of an order only says that there is something to read: the reading decides. */
function listenToVenue(
  { world, venue }: PlacingParts,
  inquiries: Inquiries,
  wake: (batchId: string) => void,
  wakeAll: () => Promise<void>,
): UserStream {
  async function heardOf(orderHash: string): Promise<void> {
    const [attempt] = await world.db
      .select({ id: attempts.id, batchId: attempts.batchId })
      .from(attempts)
      .where(eq(attempts.orderHash, orderHash));
    if (!attempt) return world.log.warn({ orderHash }, 'the venue speaks of an order that was not placed here');
    inquiries.heard(attempt.id);
    wake(attempt.batchId);
  }
  const logged = (work: Promise<void>) =>
    void work.catch((error: unknown) => world.log.error({ err: error }, 'news from the venue was not looked up'));
  return venue.openUserStream({
    onOrder: ({ orderHash }) => logged(heardOf(orderHash)),
    onFill: ({ orderHash }) => logged(heardOf(orderHash)),
    onReconnect: () => {
      inquiries.forget();
      logged(wakeAll());
    },
  });
}

/** Answers in how many milliseconds there is something to do again, or null when nothing is expected. */
async function workOn(
  parts: PlacingParts,
  trading: VenueTrading,
  owner: string,
  inquiries: Inquiries,
  batchId: string,
): Promise<number | null> {
  const { world } = parts;
  const idle = await loadBatchState(world.db, batchId);
  if (idle === null || !isWorkDue(idle, inquiries, world.clock.now())) return null;
  const lease = await takeLease(world, owner, batchId);
  if (lease === null) return null;
  world.pass('lease_taken');
  try {
    const left = await advance(parts, trading, inquiries, lease);
    await releaseLease(world.db, lease);
    return left === null || !isActive(left.batch.status) ? null : pauseMs(left, inquiries, world.clock.now());
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    world.log.warn({ batchId }, error.message);
    return null;
  } finally {
    await tellTabs(parts, batchId);
  }
}

/** Nobody's view of a batch may hold up the work on it. */
async function tellTabs({ world, stream }: PlacingParts, batchId: string): Promise<void> {
  await publishBatch(world.db, stream, batchId).catch((error: unknown) =>
    world.log.warn({ err: error, batchId }, 'the open tabs were not told of a batch'),
  );
}

/** A lease is written to the database, so it is taken only for a batch on which something can be done. */
function isWorkDue(state: BatchState, inquiries: Inquiries, now: Instant): boolean {
  if (!isActive(state.batch.status)) return inquiries.unsettledDue(state, now).length > 0;
  return nextStep(viewOf(state, inquiries), now).kind !== 'wait';
}

function pauseMs(state: BatchState, inquiries: Inquiries, now: Instant): number {
  const step = nextStep(viewOf(state, inquiries), now);
  return step.kind === 'wait' ? Math.max(0, step.at - now) : 0;
}

/** Does one step after the other until there is only waiting left to do, and answers what it then looks like. */
async function advance(
  parts: PlacingParts,
  trading: VenueTrading,
  inquiries: Inquiries,
  lease: Lease,
): Promise<BatchState | null> {
  const { world } = parts;
  const tools = stepTools(parts, trading);
  let state = await loadBatchState(world.db, lease.batchId);
  while (state !== null) {
    const next: BatchState | null = isActive(state.batch.status)
      ? await takeStep(parts, tools, inquiries, lease, state)
      : await followSettlement(tools, inquiries, lease, state);
    if (next === null) break;
    state = next;
    await tellTabs(parts, lease.batchId);
  }
  return state;
}

/** null when the batch has to wait. */
async function takeStep(
  parts: PlacingParts,
  tools: StepTools,
  inquiries: Inquiries,
  lease: Lease,
  state: BatchState,
): Promise<BatchState | null> {
  const now = parts.world.clock.now();
  const step = nextStep(viewOf(state, inquiries), now);
  if (step.kind === 'resolve' || step.kind === 'read' || step.kind === 'cancel') inquiries.asked(step.attemptIds, now);
  switch (step.kind) {
    case 'sign':
      return state.batch.simulated
        ? await prepareSimulated(parts.world, lease, state)
        : await signOrders(tools, lease, state, step.orderIds);
    case 'send':
      return state.batch.simulated
        ? await simulateOrders(parts.world, lease, state, await offersFor(parts, state))
        : await sendAttempts(tools, lease, state, step.attemptIds);
    case 'resolve':
      return await resolveAttempts(tools, lease, state, step.attemptIds);
    case 'read':
      return await readAttempts(tools, lease, state, step.attemptIds);
    case 'cancel':
      return await cancelAttempts(tools, lease, state, step.attemptIds);
    case 'settle':
      return await settleBatch(tools, lease, state, []);
    case 'wait':
      return null;
  }
}

/**
 * A matched trade can still fail on its way to the chain, so a finished batch is read until all of them have settled.
 * An order that was given up and turns up at the venue after all is taken off its book.
 */
async function followSettlement(
  tools: StepTools,
  inquiries: Inquiries,
  lease: Lease,
  state: BatchState,
): Promise<BatchState | null> {
  const now = tools.world.clock.now();
  const due = inquiries.unsettledDue(state, now);
  if (due.length === 0) return null;
  inquiries.asked(due, now);
  const open = state.attempts.filter(({ id, status }) => due.includes(id) && status === 'open').map(({ id }) => id);
  return open.length > 0
    ? await cancelAttempts(tools, lease, state, open)
    : await readAttempts(tools, lease, state, due);
}

function viewOf(state: BatchState, inquiries: Inquiries) {
  const orders = state.orders.map((order) => ({
    id: order.id,
    final: order.status === 'failed' || isFinalOrder(state, order),
    attempted: state.attempts.some(({ orderId }) => orderId === order.id),
  }));
  const final = new Set(orders.filter((order) => order.final).map(({ id }) => id));
  return {
    orders,
    attempts: state.attempts
      .map(({ id, orderId, status }) => ({ id, orderId, status, ...inquiries.of(id) }))
      .filter(({ orderId, heardOf }) => heardOf || !final.has(orderId)),
    deadline: deadlineOf(state.batch),
  };
}

function stepTools(parts: PlacingParts, trading: VenueTrading): StepTools {
  const { world, venue, controls } = parts;
  return {
    world,
    trading,
    armed: () => controls.current().armed,
    marketsById: (ids) => venue.catalogue.marketsById(ids),
    refusals: (state) => reassess(parts, state),
  };
}

async function offersFor({ quotes }: PlacingParts, state: BatchState) {
  const quoted = await quotes.fresh(positionsOf(state));
  return new Map(
    quoted.flatMap(({ tokenId, book }) => (tokenId === null ? [] : [[tokenId, book?.asks ?? []] as const])),
  );
}
