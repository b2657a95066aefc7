/**
 * Advances one batch: what is committed says which step is next, in whichever process; what this
 * process remembers of its polls says when it asks again.
 */

import { isActive } from '@dutchbook/engine/batch/life.ts';
import {
  isToBeStopped,
  LAST_INSTANT,
  nextStep,
  nextStopStep,
  type StopStep,
} from '@dutchbook/engine/batch/next-step.ts';
import { saleRestsUntil } from '@dutchbook/engine/order/age.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { batchSubject } from '../../../platform/http/stops.ts';
import {
  attemptsOf,
  awaitsSplit,
  type BatchState,
  deadlineOf,
  hasEnded,
  isFinalOrder,
  loadBatch,
  type OrderRecord,
  tradedSales,
} from '../../orders/batch-state.ts';
import { DISARMED } from '../../orders/intents.ts';
import { unsentCanceledSales, waitingSales } from '../../orders/waiting-sales.ts';
import { areArmed } from '../../venue-desk/desks.ts';
import { postStarted, type StartedBatch } from '../fast-path/start-batch.ts';
import { judgeRetry, RefusedMeanwhile } from '../placing/retry.ts';
import { sendRetry } from '../placing/send-retry.ts';
import { type Lease, LeaseLost, releaseLease, takeLease } from './batch-lease.ts';
import { followUpsDue, type IsClosed, unpolledAttempts, untradedOf, viewOf } from './batch-view.ts';
import {
  abandonPrepared,
  finishPollRequest,
  refuseUnsent,
  releaseDollars,
  stopBatch,
  stopWaitingSales,
} from './batch-writes.ts';
import { endBatch, endRetry, endSales } from './end-batch.ts';
import { outdatedSales, type RunnerContext, type RunnerParts, saleDecidedAt, stepTools } from './runner-context.ts';
import { booksFor, prepareSimulated, simulateOrders } from './simulated-steps.ts';
import { openLanes, type VenueLanes } from './venue-lanes.ts';
import { atSlot, isWaitingForSlot, type SlotWait, withRelease } from './venue-pace.ts';
import {
  cancelAttempts,
  readAttempts,
  resolveAttempts,
  type StepTools,
  sendAttempts,
  signOrders,
} from './venue-steps.ts';

/** A batch whose end is not stored yet is called again as soon as it is. */
const HELD_MS = 1000;

/** Answers in how many milliseconds there is something to do again, or null when nothing is expected. */
export async function advanceBatch(context: RunnerContext, batchId: string): Promise<number | null> {
  const { parts, owner, polls } = context;
  const { runtime } = parts;
  if (runtime.stops.holds(batchSubject(batchId))) return HELD_MS;
  await context.triggers.clear();
  const idle = await loadBatch(runtime.db, batchId);
  if (idle === null) return null;
  context.placed.note(idle);
  const isClosed = untradedOf(parts, idle);
  if (idle.orders.every(({ tokenId }) => isClosed(tokenId))) return null;
  for (const { id } of unpolledAttempts(idle, isClosed)) polls.noteNotified(id);
  if (!isStepDue(context, idle, isClosed))
    return isWaitingForSlot(currentStep(context, idle, isClosed)) ? pauseMs(context, idle, isClosed) : null;
  const lease = await takeLease(runtime, owner, batchId);
  if (lease === null) return null;
  runtime.pass('lease_taken');
  // With an unchanged lease token no other process has worked on it since it was read, and what people have asked for since then every
  // step finds when it writes.
  const isUntouched = lease.token === idle.batch.leaseToken + 1;
  return await advanceUnderLease(context, lease, isUntouched ? idle : null);
}

/** Advances a batch that was started in the transaction that recorded it. */
export async function advanceStarted(context: RunnerContext, started: StartedBatch): Promise<number | null> {
  return await advanceUnderLease(context, started.lease, null, started);
}

async function advanceUnderLease(
  context: RunnerContext,
  lease: Lease,
  known: BatchState | null,
  started: StartedBatch | null = null,
): Promise<number | null> {
  const { parts, publisher } = context;
  const { runtime } = parts;
  const { batchId } = lease;
  let lanes: VenueLanes | null = null;
  try {
    let read = known;
    if (started !== null) {
      lanes = openLanes(runtime, batchId, started.orders);
      context.placed.noteStarted(batchId, started.attempts);
      // Once it has left, and before the venue has answered.
      runtime.timers.after(0, () => publisher.publish(batchId));
      read = await postStarted(stepTools(context, lanes), started);
      await publisher.publish(batchId);
    }
    read ??= await loadBatch(runtime.db, batchId);
    lanes ??= openLanes(runtime, batchId, read?.orders ?? []);
    const left = await answerPollRequest(parts, lease, await takeSteps(context, lanes, lease, read));
    await releaseLease(runtime.db, lease);
    return left === null ? null : pauseMs(context, left, untradedOf(parts, left));
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    runtime.log.warn({ batchId, reason: error.message }, 'batch lease lost');
    return null;
  } finally {
    await lanes?.ended();
    await publisher.publish(batchId);
  }
}

async function answerPollRequest(
  parts: RunnerParts,
  lease: Lease,
  state: BatchState | null,
): Promise<BatchState | null> {
  if (state === null || state.batch.pollRequestedAt === null) return state;
  if (unpolledAttempts(state, untradedOf(parts, state)).length > 0) return state;
  return await finishPollRequest(parts.runtime, lease, state.batch.pollRequestedAt);
}

/** A lease is written to the database, so it is taken only where there is a step to take. */
function isStepDue(context: RunnerContext, state: BatchState, isClosed: IsClosed): boolean {
  const { polls, parts } = context;
  if (state.batch.pollRequestedAt !== null) return true;
  if (awaitsSplit(state)) return false;
  if (isActive(state.batch.status)) return isDisarmed(parts, state) || stepOf(context, state, isClosed).kind !== 'wait';
  if (haltedSales(parts, state).length > 0 || unsentCanceledSales(state).length > 0) return true;
  const saleStep = saleStepOf(context, state, isClosed);
  if (saleStep !== null && saleStep.kind !== 'wait') return true;
  return followUpsDue(polls, state, parts.runtime.clock.now(), isClosed).length > 0;
}

function currentStep(context: RunnerContext, state: BatchState, isClosed: IsClosed): NextStep | null {
  if (awaitsSplit(state)) return null;
  return isActive(state.batch.status) ? stepOf(context, state, isClosed) : saleStepOf(context, state, isClosed);
}

function pauseMs(context: RunnerContext, state: BatchState, isClosed: IsClosed): number | null {
  const step = currentStep(context, state, isClosed);
  if (step === null) return null;
  // The venue could not be asked what is left of a sale: the next sweep asks again.
  if (step.kind === 'end') return null;
  return step.kind === 'wait' ? Math.max(0, step.at - context.parts.runtime.clock.now()) : 0;
}

/**
 * Does one step after the other until there is only waiting left to do, and no venue has still to answer. @returns what it then looks
 * like
 */
async function takeSteps(
  context: RunnerContext,
  lanes: VenueLanes,
  lease: Lease,
  read: BatchState | null,
): Promise<BatchState | null> {
  const { publisher } = context;
  const tools = stepTools(context, lanes);
  let state = read;
  if (state !== null) context.placed.note(state);
  const isHeld = () => context.parts.runtime.stops.holds(batchSubject(lease.batchId));
  while (state !== null && !awaitsSplit(state)) {
    if (isHeld() && !lanes.isBusy()) break;
    await context.triggers.clear();
    const taken: BatchState | null = isHeld() ? null : await takeNext(context, tools, lease, state);
    if (taken === null && !lanes.isBusy()) break;
    state = taken ?? (await lanes.next());
    context.placed.note(state);
    await publisher.publish(lease.batchId);
  }
  return state;
}

/** null when the batch has to wait. */
function takeNext(
  context: RunnerContext,
  tools: StepTools,
  lease: Lease,
  state: BatchState,
): Promise<BatchState | null> {
  const isUntraded = untradedOf(context.parts, state);
  const isClosed = (id: string) => isUntraded(id) || tools.lanes.isBusyAt(id);
  return isActive(state.batch.status)
    ? buy(context, tools, lease, state, isClosed)
    : followUp(context, tools, lease, state, isClosed);
}

function isDisarmed({ desks }: RunnerParts, { batch, orders }: BatchState): boolean {
  if (batch.simulated) return false;
  return isToBeStopped({ cancelRequested: batch.cancelRequestedAt !== null, armed: areArmed(desks, orders) });
}

/** Sales that wait in the book of a venue at which trading is disarmed. */
function haltedSales({ desks }: RunnerParts, state: BatchState): OrderRecord[] {
  return state.batch.simulated ? [] : waitingSales(state).filter((sale) => !areArmed(desks, [sale]));
}

type NextStep = ReturnType<typeof nextStep> | StopStep | { kind: 'retry' | 'release' } | SlotWait;

function stepOf({ parts, polls, trading }: RunnerContext, state: BatchState, isClosed: IsClosed): NextStep {
  const now = parts.runtime.clock.now();
  const view = viewOf(state, state.orders, polls, deadlineOf(state.batch), isClosed);
  if (state.batch.cancelRequestedAt !== null) return atSlot(trading, state, nextStopStep(view, now), now);
  if (state.batch.status === 'retry_pending' && !hasOrderLeft(state)) return { kind: 'retry' };
  const next = nextStep(view, now);
  const isLeaving = next.kind === 'sign' || next.kind === 'send';
  // All of a buy leaves or nothing of it: what is of a venue that is not there could not follow.
  if (isLeaving && state.orders.some(({ tokenId }) => untradedOf(parts, state)(tokenId)))
    return { kind: 'wait', at: view.deadline };
  return withRelease(state, atSlot(trading, state, next, now), now);
}

/** Whether an order that was given up turned up at the venue: until it has ended, the missing size is unknown. */
function hasOrderLeft(state: BatchState): boolean {
  return state.orders.some((order) => attemptsOf(state, order.id).length > 0 && !isFinalOrder(state, order));
}

/** The next step for the sell orders of an ended batch; null where none is under way, or they only wait for the chain. */
function saleStepOf({ parts, polls, trading }: RunnerContext, state: BatchState, isClosed: IsClosed): NextStep | null {
  if (!state.batch.saleUnderWay) return null;
  const sales = viewOf(state, tradedSales(state), polls, restsUntil(state), isClosed);
  const closed = new Set(
    tradedSales(state)
      .filter(({ tokenId }) => isClosed(tokenId))
      .map(({ id }) => id),
  );
  const orders = sales.orders.map((order) => (closed.has(order.id) ? { ...order, attempted: true } : order));
  const view = { ...sales, orders };
  const now = parts.runtime.clock.now();
  const step = nextStep(view, now);
  // Booking what the chain did wakes the batch again.
  if (step.kind === 'end' && !state.sales.every((sale) => hasEnded(state, sale))) return null;
  return atSlot(trading, state, step, now);
}

/** When what still rests of its sales is canceled, but of those that wait in the book. */
function restsUntil(state: BatchState): Instant {
  const decidedAt = saleDecidedAt(state);
  return decidedAt === null ? LAST_INSTANT : saleRestsUntil(decidedAt);
}

async function buy(
  context: RunnerContext,
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  isClosed: IsClosed,
): Promise<BatchState | null> {
  const { runtime } = context.parts;
  if (isDisarmed(context.parts, state)) return await stopBatch(runtime, lease, DISARMED);
  const step = stepOf(context, state, isClosed);
  return step.kind === 'end'
    ? await endBatch(runtime, lease, state)
    : await takeStep(context, tools, lease, state, { step, decidedAt: state.batch.createdAt });
}

/**
 * Follows a batch that has ended: its shares may be sold; a matched trade can fail on its way to the chain,
 * so fills are read until all of them have settled; an order that was given up and turns up at the venue after all is
 * taken off its book.
 */
async function followUp(
  context: RunnerContext,
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  isClosed: IsClosed,
): Promise<BatchState | null> {
  const { polls, parts, trading } = context;
  const halted = haltedSales(parts, state);
  if (halted.length > 0) return await stopWaitingSales(parts.runtime, lease, halted);
  const canceled = unsentCanceledSales(state);
  if (canceled.length > 0) {
    const ids = canceled.map(({ id }) => id);
    return await refuseUnsent(parts.runtime, lease, ids, 'Not sent: The sale was canceled before.');
  }
  const outdated = outdatedSales(state, parts.runtime.clock.now());
  if (outdated.length > 0) {
    return await refuseUnsent(parts.runtime, lease, outdated, 'Not sent: It was decided too long ago.');
  }
  const sale = saleStepOf(context, state, isClosed);
  const sold =
    sale?.kind === 'end'
      ? await endSales(parts.runtime, trading, lease, state)
      : sale !== null &&
        (await takeStep(context, tools, lease, state, {
          step: sale,
          decidedAt: saleDecidedAt(state) ?? parts.runtime.clock.now(),
        }));
  if (sold) return sold;

  const now = parts.runtime.clock.now();
  const due = followUpsDue(polls, state, now, isClosed);
  if (due.length === 0) return null;
  polls.notePoll(due, now);
  const open = state.attempts.filter(({ id, status }) => due.includes(id) && status === 'open').map(({ id }) => id);
  return open.length > 0
    ? await cancelAttempts(tools, lease, state, open)
    : await readAttempts(tools, lease, state, due);
}

/** Takes a step that buys and sales have in common; null when it is to wait. */
async function takeStep(
  context: RunnerContext,
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  { step, decidedAt }: { step: Exclude<NextStep, { kind: 'end' }>; decidedAt: Instant },
): Promise<BatchState | null> {
  const { parts, polls } = context;
  const { runtime } = parts;
  if (step.kind === 'resolve' || step.kind === 'read' || step.kind === 'cancel')
    polls.notePoll(step.attemptIds, runtime.clock.now());
  switch (step.kind) {
    case 'retry':
      return await startRetry(parts, tools, lease, state);
    case 'release': {
      const released = await releaseDollars(runtime, lease);
      runtime.pass('dollars_released');
      return released;
    }
    case 'sign':
      return state.batch.simulated
        ? await prepareSimulated(runtime, lease, { terms: termsOf(state, step.orderIds) })
        : await signOrders(tools, lease, state, { orderIds: step.orderIds, decidedAt });
    case 'send':
      return state.batch.simulated
        ? await simulateOrders(runtime, lease, step.attemptIds, await booksFor(parts.quotes, state))
        : await sendAttempts(tools, lease, state, step.attemptIds);
    case 'abandon':
      return await abandonPrepared(runtime, lease, step.attemptIds, 'Not sent: the batch was canceled.');
    case 'resolve':
      return await resolveAttempts(tools, lease, state, step.attemptIds);
    case 'read':
      return await readAttempts(tools, lease, state, step.attemptIds);
    case 'cancel':
      return await cancelAttempts(tools, lease, state, step.attemptIds);
    case 'wait':
      return null;
  }
}

async function startRetry(parts: RunnerParts, tools: StepTools, lease: Lease, state: BatchState): Promise<BatchState> {
  const verdict = await judgeRetry(parts, state);
  parts.runtime.pass('retry_judged');
  if (verdict.kind === 'refused') return await endRetry(parts.runtime, lease, state, verdict.reasons);
  try {
    if (state.batch.simulated) return await prepareSimulated(parts.runtime, lease, verdict);
    return await sendRetry(tools, lease, state, verdict);
  } catch (error) {
    if (!(error instanceof RefusedMeanwhile)) throw error;
    return await endRetry(parts.runtime, lease, state, error.reasons);
  }
}

function termsOf({ orders, sales }: BatchState, orderIds: readonly string[]) {
  return [...orders, ...sales]
    .filter(({ id }) => orderIds.includes(id))
    .map(({ id, size, price }) => ({ orderId: id, size, price }));
}
