/** The work on one batch: what is committed says what comes next, whoever does it and whatever was done before. */
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { type BatchView, nextStep, nextStopStep, type StopStep } from '@dutchbook/engine/batch/next-step.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { DISARMED } from '../../batches/intents.ts';
import {
  attemptsOf,
  type BatchState,
  deadlineOf,
  hasEnded,
  isFinalOrder,
  loadBatchState,
  type OrderRecord,
  standingAttempts,
} from './batch-state.ts';
import { abandonPrepared, finishLook, RefusedMeanwhile, refuseUnsent, stopBatch } from './batch-writes.ts';
import { type Begun, sendBegun } from './begin.ts';
import { endRetry, endSales, settleBatch } from './endings.ts';
import type { Inquiries } from './inquiries.ts';
import { type Lease, LeaseLost, releaseLease, takeLease } from './lease.ts';
import {
  cancelAttempts,
  readAttempts,
  resolveAttempts,
  type StepTools,
  sendAttempts,
  signAndCommit,
  signOrders,
} from './placing-steps.ts';
import { judgeRetry } from './retry.ts';
import { prepareSimulated, simulateOrders } from './simulated-batch.ts';
import { inTurn, isWaitingForTurn, type TurnWait } from './turns.ts';
import {
  levelsFor,
  outdatedSales,
  type PlacingParts,
  saleDecidedAt,
  stepTools,
  tellTabs,
  type Worker,
} from './worker.ts';

/** An order that sells drops what it does not fill at once; one that rests all the same is taken off the book. */
const SALE_RESTS_MAX_MS = 5000;

/** Answers in how many milliseconds there is something to do again, or null when nothing is expected. */
export async function workOn(worker: Worker, batchId: string): Promise<number | null> {
  const { parts, owner, inquiries } = worker;
  const { world } = parts;
  const idle = await loadBatchState(world.db, batchId);
  if (idle === null) return null;
  for (const { id } of unseenSince(idle)) inquiries.heard(id);
  if (!isWorkDue(worker, idle)) return isWaitingForTurn(currentStep(worker, idle)) ? pauseMs(worker, idle) : null;
  const lease = await takeLease(world, owner, batchId);
  if (lease === null) return null;
  world.pass('lease_taken');
  return await workUnder(worker, lease);
}

/** The same of a batch that has begun in the transaction that recorded it. */
export async function goOnWith(worker: Worker, begun: Begun): Promise<number | null> {
  return await workUnder(worker, begun.lease, begun);
}

async function workUnder(worker: Worker, lease: Lease, begun: Begun | null = null): Promise<number | null> {
  const { parts } = worker;
  const { world } = parts;
  const { batchId } = lease;
  try {
    if (begun !== null) {
      // Once it has left, and before the venue has answered.
      world.timers.after(0, () => tellTabs(parts, batchId));
      await sendBegun(stepTools(worker), begun);
      await tellTabs(parts, batchId);
    }
    const left = await answerLook(parts, lease, await advance(worker, lease));
    await releaseLease(world.db, lease);
    return left === null ? null : pauseMs(worker, left);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    world.log.warn({ batchId }, error.message);
    return null;
  } finally {
    await tellTabs(parts, batchId);
  }
}

/** What has not been read since somebody asked for a look at the batch. */
function unseenSince(state: BatchState) {
  const { lookRequestedAt } = state.batch;
  if (lookRequestedAt === null) return [];
  return standingAttempts(state).filter(({ updatedAt }) => updatedAt < lookRequestedAt);
}

async function answerLook({ world }: PlacingParts, lease: Lease, state: BatchState | null): Promise<BatchState | null> {
  if (state === null || state.batch.lookRequestedAt === null || unseenSince(state).length > 0) return state;
  return await finishLook(world, lease, state.batch.lookRequestedAt);
}

/** A lease is written to the database, so it is taken only for a batch on which something can be done. */
function isWorkDue(worker: Worker, state: BatchState): boolean {
  const { inquiries, parts } = worker;
  if (state.batch.lookRequestedAt !== null) return true;
  if (isActive(state.batch.status)) return isToBeStopped(parts, state) || stepOf(worker, state).kind !== 'wait';
  const saleStep = saleStepOf(worker, state);
  if (saleStep !== null && saleStep.kind !== 'wait') return true;
  return inquiries.unsettledDue(state, parts.world.clock.now()).length > 0;
}

function currentStep(worker: Worker, state: BatchState): NextStep | null {
  return isActive(state.batch.status) ? stepOf(worker, state) : saleStepOf(worker, state);
}

function pauseMs(worker: Worker, state: BatchState): number | null {
  const step = currentStep(worker, state);
  if (step === null) return null;
  // The venue could not be asked what is left of a sale: the next look at all batches asks again.
  if (step.kind === 'settle') return null;
  return step.kind === 'wait' ? Math.max(0, step.at - worker.parts.world.clock.now()) : 0;
}

/** Does one step after the other until there is only waiting left to do, and answers what it then looks like. */
async function advance(worker: Worker, lease: Lease): Promise<BatchState | null> {
  const { parts } = worker;
  const tools = stepTools(worker);
  let state = await loadBatchState(parts.world.db, lease.batchId);
  while (state !== null) {
    const next: BatchState | null = isActive(state.batch.status)
      ? await buy(worker, tools, lease, state)
      : await followUp(worker, tools, lease, state);
    if (next === null) break;
    state = next;
    await tellTabs(parts, lease.batchId);
  }
  return state;
}

/** Trading was disarmed by somebody who could not, or did not yet, ask for the end of this batch. */
function isToBeStopped({ controls }: PlacingParts, { batch }: BatchState): boolean {
  return batch.cancelRequestedAt === null && !controls.current().armed;
}

type NextStep = ReturnType<typeof nextStep> | StopStep | { kind: 'retry' } | TurnWait;

function stepOf({ parts, inquiries, trading }: Worker, state: BatchState): NextStep {
  const now = parts.world.clock.now();
  const view = viewOf(state, state.orders, inquiries, deadlineOf(state.batch));
  if (state.batch.cancelRequestedAt !== null) return inTurn(trading.pace, state, nextStopStep(view, now), now);
  if (state.batch.status === 'retry_pending' && !hasOrderLeft(state)) return { kind: 'retry' };
  return inTurn(trading.pace, state, nextStep(view, now), now);
}

/** One that was given up has turned up at the venue after all: until it has ended, nobody knows what is missing. */
function hasOrderLeft(state: BatchState): boolean {
  return state.orders.some((order) => attemptsOf(state, order.id).length > 0 && !isFinalOrder(state, order));
}

/** What the sell orders of an ended batch call for; null where none is under way. */
function saleStepOf({ parts, inquiries, trading }: Worker, state: BatchState): NextStep | null {
  if (!state.batch.saleUnderWay) return null;
  const restsUntil = (saleDecidedAt(state) + SALE_RESTS_MAX_MS) as Instant;
  const view = viewOf(state, state.sales, inquiries, restsUntil);
  const now = parts.world.clock.now();
  return inTurn(trading.pace, state, nextStep(view, now), now);
}

/** null when the batch has to wait. */
async function buy(worker: Worker, tools: StepTools, lease: Lease, state: BatchState): Promise<BatchState | null> {
  const { world } = worker.parts;
  if (isToBeStopped(worker.parts, state)) return await stopBatch(world, lease, DISARMED);
  const step = stepOf(worker, state);
  return step.kind === 'settle'
    ? await settleBatch(world, lease, state)
    : await take(worker, tools, lease, state, step, state.batch.createdAt);
}

/**
 * What may still become of a batch that has ended: its shares are sold; a matched trade can fail on its way to the chain,
 * so fills are read until all of them have settled; an order that was given up and turns up at the venue after all is
 * taken off its book.
 */
async function followUp(worker: Worker, tools: StepTools, lease: Lease, state: BatchState): Promise<BatchState | null> {
  const { inquiries, parts, trading } = worker;
  const outdated = outdatedSales(state, parts.world.clock.now());
  if (outdated.length > 0) {
    return await refuseUnsent(parts.world, lease, outdated, 'Not sent: It was decided too long ago.');
  }
  const sale = saleStepOf(worker, state);
  const sold =
    sale?.kind === 'settle'
      ? await endSales(parts.world, trading, lease, state)
      : sale !== null && (await take(worker, tools, lease, state, sale, saleDecidedAt(state)));
  if (sold) return sold;

  const now = parts.world.clock.now();
  const due = inquiries.unsettledDue(state, now);
  if (due.length === 0) return null;
  inquiries.asked(due, now);
  const open = state.attempts.filter(({ id, status }) => due.includes(id) && status === 'open').map(({ id }) => id);
  return open.length > 0
    ? await cancelAttempts(tools, lease, state, open)
    : await readAttempts(tools, lease, state, due);
}

/** Takes a step that buys and sales have in common; null when it is to wait. */
async function take(
  worker: Worker,
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  step: Exclude<NextStep, { kind: 'settle' }>,
  decidedAt: Instant,
): Promise<BatchState | null> {
  const { parts, inquiries } = worker;
  const { world } = parts;
  if (step.kind === 'resolve' || step.kind === 'read' || step.kind === 'cancel')
    inquiries.asked(step.attemptIds, world.clock.now());
  switch (step.kind) {
    case 'retry':
      return await startRetry(parts, tools, lease, state);
    case 'sign':
      return state.batch.simulated
        ? await prepareSimulated(world, lease, termsOf(state, step.orderIds))
        : await signOrders(tools, lease, state, { orderIds: step.orderIds, decidedAt });
    case 'send':
      return state.batch.simulated
        ? await simulateOrders(world, lease, state, step.attemptIds, await levelsFor(parts, state))
        : await sendAttempts(tools, lease, state, step.attemptIds);
    case 'abandon':
      return await abandonPrepared(world, lease, step.attemptIds, 'Not sent: the batch was canceled.');
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

async function startRetry(parts: PlacingParts, tools: StepTools, lease: Lease, state: BatchState): Promise<BatchState> {
  const verdict = await judgeRetry(parts, state);
  parts.world.pass('retry_judged');
  if (verdict.kind === 'refused') return await endRetry(parts.world, lease, state, verdict.reasons);
  if (state.batch.simulated) return await prepareSimulated(parts.world, lease, verdict.terms);
  try {
    return await signAndCommit(tools, lease, state, verdict.terms, verdict.refusedMeanwhile);
  } catch (error) {
    if (!(error instanceof RefusedMeanwhile)) throw error;
    return await endRetry(parts.world, lease, state, error.reasons);
  }
}

function termsOf({ orders, sales }: BatchState, orderIds: readonly string[]) {
  return [...orders, ...sales]
    .filter(({ id }) => orderIds.includes(id))
    .map(({ id, size, price }) => ({ orderId: id, size, price }));
}

function viewOf(
  state: BatchState,
  ofOrders: readonly OrderRecord[],
  inquiries: Inquiries,
  deadline: Instant,
): BatchView {
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
      .map(({ id, orderId, status }) => ({ id, orderId, status, ...inquiries.of(id) }))
      .filter(({ orderId, heardOf }) => open.has(orderId) || (heardOf && own.has(orderId))),
    deadline,
  };
}
