/**
 * Advances one batch: what is committed says which step is next, in whichever process; what this
 * process remembers of its polls says when it asks again.
 */

import { isActive } from '@dutchbook/engine/batch/life.ts';
import {
  type BatchView,
  isToBeStopped,
  LAST_INSTANT,
  nextStep,
  nextStopStep,
  type StopStep,
} from '@dutchbook/engine/batch/next-step.ts';
import { saleRestsUntil } from '@dutchbook/engine/order/age.ts';
import { isShortByLittle } from '@dutchbook/engine/order/life.ts';
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
  orderOf,
  standingAttempts,
  tradedSales,
} from '../../orders/batch-state.ts';
import { DISARMED } from '../../orders/intents.ts';
import { unsentCanceledSales, waitingSales, waitsUntil } from '../../orders/waiting-sales.ts';
import { areArmed, areTraded } from '../../venue-desk/desks.ts';
import { postStarted, type StartedBatch } from '../fast-path/start-batch.ts';
import { judgeRetry, RefusedMeanwhile } from '../placing/retry.ts';
import { sendRetry } from '../placing/send-retry.ts';
import type { OrderPolls } from '../recovery/polls.ts';
import { type Lease, LeaseLost, releaseLease, takeLease } from './batch-lease.ts';
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
  if (!idle.batch.simulated && !areTraded(parts.desks, idle.orders)) return null;
  for (const { id } of unpolledAttempts(idle)) polls.noteNotified(id);
  if (!isStepDue(context, idle)) return isWaitingForSlot(currentStep(context, idle)) ? pauseMs(context, idle) : null;
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
  try {
    let read = known;
    if (started !== null) {
      context.placed.noteStarted(batchId, started.attempts);
      // Once it has left, and before the venue has answered.
      runtime.timers.after(0, () => publisher.publish(batchId));
      read = await postStarted(stepTools(context), started);
      await publisher.publish(batchId);
    }
    read ??= await loadBatch(runtime.db, batchId);
    const left = await answerPollRequest(parts, lease, await takeSteps(context, lease, read));
    await releaseLease(runtime.db, lease);
    return left === null ? null : pauseMs(context, left);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    runtime.log.warn({ batchId, reason: error.message }, 'batch lease lost');
    return null;
  } finally {
    await publisher.publish(batchId);
  }
}

/** Attempts that have not been read since somebody asked for the batch to be polled. */
function unpolledAttempts(state: BatchState) {
  const { pollRequestedAt } = state.batch;
  if (pollRequestedAt === null) return [];
  return standingAttempts(state).filter(({ updatedAt }) => updatedAt < pollRequestedAt);
}

async function answerPollRequest(
  { runtime }: RunnerParts,
  lease: Lease,
  state: BatchState | null,
): Promise<BatchState | null> {
  if (state === null || state.batch.pollRequestedAt === null || unpolledAttempts(state).length > 0) return state;
  return await finishPollRequest(runtime, lease, state.batch.pollRequestedAt);
}

/** A lease is written to the database, so it is taken only where there is a step to take. */
function isStepDue(context: RunnerContext, state: BatchState): boolean {
  const { polls, parts } = context;
  if (state.batch.pollRequestedAt !== null) return true;
  if (awaitsSplit(state)) return false;
  if (isActive(state.batch.status)) return isDisarmed(parts, state) || stepOf(context, state).kind !== 'wait';
  if (haltedSales(parts, state).length > 0 || unsentCanceledSales(state).length > 0) return true;
  const saleStep = saleStepOf(context, state);
  if (saleStep !== null && saleStep.kind !== 'wait') return true;
  return polls.followUpsDue(state, parts.runtime.clock.now()).length > 0;
}

function currentStep(context: RunnerContext, state: BatchState): NextStep | null {
  if (awaitsSplit(state)) return null;
  return isActive(state.batch.status) ? stepOf(context, state) : saleStepOf(context, state);
}

function pauseMs(context: RunnerContext, state: BatchState): number | null {
  const step = currentStep(context, state);
  if (step === null) return null;
  // The venue could not be asked what is left of a sale: the next sweep asks again.
  if (step.kind === 'end') return null;
  return step.kind === 'wait' ? Math.max(0, step.at - context.parts.runtime.clock.now()) : 0;
}

/** Does one step after the other until there is only waiting left to do, and answers what it then looks like. */
async function takeSteps(context: RunnerContext, lease: Lease, read: BatchState | null): Promise<BatchState | null> {
  const { publisher } = context;
  const tools = stepTools(context);
  let state = read;
  if (state !== null) context.placed.note(state);
  const isHeld = () => context.parts.runtime.stops.holds(batchSubject(lease.batchId));
  while (state !== null && !awaitsSplit(state) && !isHeld()) {
    await context.triggers.clear();
    const next: BatchState | null = isActive(state.batch.status)
      ? await buy(context, tools, lease, state)
      : await followUp(context, tools, lease, state);
    if (next === null) break;
    state = next;
    context.placed.note(state);
    await publisher.publish(lease.batchId);
  }
  return state;
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

function stepOf({ parts, polls, trading }: RunnerContext, state: BatchState): NextStep {
  const now = parts.runtime.clock.now();
  const view = viewOf(state, state.orders, polls, deadlineOf(state.batch));
  if (state.batch.cancelRequestedAt !== null) return atSlot(trading, state, nextStopStep(view, now), now);
  if (state.batch.status === 'retry_pending' && !hasOrderLeft(state)) return { kind: 'retry' };
  return withRelease(state, atSlot(trading, state, nextStep(view, now), now), now);
}

/** One that was given up has turned up at the venue after all: until it has ended, the missing size is unknown. */
function hasOrderLeft(state: BatchState): boolean {
  return state.orders.some((order) => attemptsOf(state, order.id).length > 0 && !isFinalOrder(state, order));
}

/** What the sell orders of an ended batch call for; null where none is under way, or only the chain is waited for. */
function saleStepOf({ parts, polls, trading }: RunnerContext, state: BatchState): NextStep | null {
  if (!state.batch.saleUnderWay) return null;
  const view = viewOf(state, tradedSales(state), polls, restsUntil(state));
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

/** null when the batch has to wait. */
async function buy(
  context: RunnerContext,
  tools: StepTools,
  lease: Lease,
  state: BatchState,
): Promise<BatchState | null> {
  const { runtime } = context.parts;
  if (isDisarmed(context.parts, state)) return await stopBatch(runtime, lease, DISARMED);
  const step = stepOf(context, state);
  return step.kind === 'end'
    ? await endBatch(runtime, lease, state)
    : await takeStep(context, tools, lease, state, { step, decidedAt: state.batch.createdAt });
}

/**
 * What may still become of a batch that has ended: its shares are sold; a matched trade can fail on its way to the chain,
 * so fills are read until all of them have settled; an order that was given up and turns up at the venue after all is
 * taken off its book.
 */
async function followUp(
  context: RunnerContext,
  tools: StepTools,
  lease: Lease,
  state: BatchState,
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
  const sale = saleStepOf(context, state);
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
  const due = polls.followUpsDue(state, now);
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
    case 'release':
      return await releaseDollars(runtime, lease);
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

function viewOf(state: BatchState, ofOrders: readonly OrderRecord[], polls: OrderPolls, deadline: Instant): BatchView {
  const orders = ofOrders.map((order) => ({
    id: order.id,
    final: hasEnded(state, order),
    attempted: attemptsOf(state, order.id).length > 0,
  }));
  const open = new Set(orders.filter(({ final }) => !final).map(({ id }) => id));
  const own = new Set(orders.map(({ id }) => id));
  return {
    orders,
    attempts: state.attempts
      .map(({ id, orderId, status }) => {
        const order = orderOf(state, orderId);
        const isLeftover = isShortByLittle(order.size, order.filledSize);
        return { id, orderId, status, isLeftover, waitsUntil: waitsUntil(order), ...polls.of(id) };
      })
      .filter(({ orderId, notified }) => open.has(orderId) || (notified && own.has(orderId))),
    deadline,
  };
}
