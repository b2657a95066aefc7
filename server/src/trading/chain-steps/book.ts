/**
 * Books the result of a submission in its batches, each once, under the lease of the batch: one attempt and one confirmed fill for each order.
 * `underLease` posts new fills to the ledger in the same transaction.
 */
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { FRACTION_ZERO } from '@dutchbook/units/fraction.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { PRICE_ZERO } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { pricePerShare, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { inArray, isNull } from 'drizzle-orm';
import { insertOf } from '../../platform/database/many-rows.ts';
import { noEarlier } from '../../platform/database/update-time.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { type Lease, LeaseLost, releaseLease, takeLease } from '../execution/runner/batch-lease.ts';
import { callBatch } from '../execution/runner/batch-runner.ts';
import { finishBatch } from '../execution/runner/batch-writes.ts';
import { underLease } from '../execution/runner/under-lease.ts';
import { attemptsOf, type BatchState, holdersOf, type OrderRecord } from '../orders/batch-state.ts';
import { readBatch } from '../orders/batch-store.ts';
import { attempts, batchOrders, fills } from '../orders/table.ts';
import type { ChainLoopParts } from './chain-loop-parts.ts';
import { sellSplit } from './sell-split.ts';
import { tokensOf } from './send.ts';
import { changeSubmission, type StepRow, type Submission, type SubmissionRow } from './store.ts';
import { chainSubmissions, type HandedOut } from './table.ts';

/** Reason of a split whose batch was canceled before it was sent. */
export const CANCELED = 'Not sent: the batch was canceled.';

/**
 * `again`: another transaction holds one of its batches. `waiting`: the venue did not answer, or what dollars were split into is
 * not sold yet.
 */
type Booked = 'booked' | 'again' | 'waiting';

/** Books a submission in all its batches. `seen`: submissions that this process has reported to the venue. */
export async function bookSubmission(
  parts: ChainLoopParts,
  submission: Submission,
  seen: Set<string>,
): Promise<Booked> {
  const { row } = submission;
  if (!(await bookBatches(parts, submission))) return 'again';
  if (!seen.has(row.id) && !(await isSeenByVenue(parts, submission))) return 'waiting';
  seen.add(row.id);
  if (row.purpose === 'split' && row.status === 'confirmed')
    return (await sellSplit(parts, submission)) ? 'booked' : 'waiting';
  await endBooking(parts, row.id);
  return 'booked';
}

type BookingParts = Pick<ChainLoopParts, 'runtime' | 'owner' | 'publisher'>;

/** Books what the venue has done by itself. @returns whether all its batches have booked it */
export async function bookDoneByVenue(parts: BookingParts, submission: Submission): Promise<boolean> {
  if (!(await bookBatches(parts, submission))) return false;
  await endBooking(parts, submission.row.id);
  return true;
}

async function endBooking({ runtime }: BookingParts, id: string): Promise<void> {
  await changeSubmission(runtime.db, id, { bookedAt: runtime.clock.now() }, isNull(chainSubmissions.bookedAt));
}

async function bookBatches(parts: BookingParts, submission: Submission): Promise<boolean> {
  const { runtime } = parts;
  const { row } = submission;
  let areAllBooked = true;
  for (const batchId of row.batchIds) {
    if (row.purpose === 'split' && (await hasEnded(runtime.db, batchId))) continue;
    const isBooked = await bookBatch(parts, submission, batchId);
    areAllBooked &&= isBooked;
    if (isBooked) runtime.pass('chain_booked');
  }
  return areAllBooked;
}

async function hasEnded(db: Db, batchId: string): Promise<boolean> {
  const batch = await readBatch(db, batchId);
  return batch !== null && !isActive(batch.status);
}

/** Whether the venue shows the new balances: before, the cash cannot be spent, and gone shares would be offered. */
async function isSeenByVenue({ runtime, trading }: ChainLoopParts, { row, steps }: Submission): Promise<boolean> {
  if (row.status !== 'confirmed' || row.purpose === 'approval') return true;
  try {
    await trading.refreshHoldings(tokensOf(steps));
    return true;
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    runtime.log.warn(
      { submissionId: row.id, reason: error.message },
      'chain submission not reported to the venue, repeated',
    );
    return false;
  }
}

async function bookBatch(parts: BookingParts, submission: Submission, batchId: string): Promise<boolean> {
  const { runtime, owner, publisher } = parts;
  const lease = await takeLease(runtime, owner, batchId);
  if (lease === null) return false;
  try {
    const isEnded = await book(runtime, lease, submission);
    await releaseLease(runtime.db, lease);
    if (!isEnded) return false;
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    return false;
  }
  await publisher.publish(batchId);
  // Its runner finds out whether everything is sold now.
  await callBatch(runtime, batchId);
  return true;
}

/** @returns whether its batch is as it has to be: of a split one, ended */
async function book(runtime: Runtime, lease: Lease, submission: Submission): Promise<boolean> {
  const { row, steps } = submission;
  const ids = new Set(steps.map(({ id }) => id));
  const booked = await underLease(runtime, lease, async (tx, state) => {
    const unbooked = [...state.orders, ...state.sales].filter(
      (order) =>
        ids.has(order.chainStepId ?? '') && order.status !== 'failed' && attemptsOf(state, order.id).length === 0,
    );
    const unproven = new Map(steps.flatMap((step) => whyUnproven(row, step)));
    for (const [stepId, error] of unproven)
      await failOrders(
        tx,
        runtime,
        unbooked.filter(({ chainStepId }) => chainStepId === stepId),
        error,
      );
    const proven = { ...submission, steps: steps.filter(({ id }) => !unproven.has(id)) };
    const dollars = new Map(proven.steps.flatMap(dollarsByOrder));
    const received = await receive(tx, runtime, state, proven);
    await match(tx, runtime, submission, [
      ...unbooked.flatMap((order) =>
        dollars.has(order.id) ? [{ order, cost: dollars.get(order.id) ?? USD_ZERO }] : [],
      ),
      ...received.map((order) => ({ order, cost: USD_ZERO })),
    ]);
  });
  if (row.purpose !== 'split') return true;
  const ended = await finishBatch(runtime, lease, booked, splitEnd(row));
  return !isActive(ended.batch.status);
}

function whyUnproven({ status, error }: SubmissionRow, { id, proof }: StepRow): (readonly [string, string])[] {
  if (status !== 'confirmed') return [[id, error ?? 'Not carried out.']];
  return proof?.kind === 'unproven' ? [[id, proof.error]] : [];
}

/** Dollars that each order's shares brought, or cost. */
function dollarsByOrder({ expected, parts, handedOut, proof }: StepRow): (readonly [string, Usd])[] {
  const planned = [
    ...parts.map(({ orderId, dollars }) => ({ orderId, dollars })),
    ...handedOut.flatMap(({ orderId, split }) => (split ? [{ orderId, dollars: split.cost }] : [])),
  ];
  const came = proof?.kind === 'proven' ? proof.dollars : expected;
  const dollars = came === expected ? planned.map((one) => one.dollars) : inProportion(came, planned);
  return planned.map(({ orderId }, place) => [orderId, dollars[place] ?? USD_ZERO] as const);
}

/** Divides dollars in proportion: all parts either bring dollars (a step) or cost some (a split). */
function inProportion(came: Usd, parts: readonly { dollars: Usd }[]): Usd[] {
  const weight = parts.reduce((sum, { dollars }) => sum + dollars, 0);
  let rest: number = Math.abs(came);
  return parts.map(({ dollars }, place) => {
    const part = place === parts.length - 1 ? rest : weight === 0 ? 0 : mulDiv(Math.abs(came), dollars, weight, 'down');
    rest -= part;
    return part as Usd;
  });
}

function splitEnd({ status, error }: SubmissionRow): Parameters<typeof finishBatch>[3] {
  if (status === 'confirmed') return { event: 'completed', reason: null };
  return { event: error === CANCELED ? 'canceled' : 'failed', reason: error };
}

/** Their shares are free again. */
async function failOrders(
  tx: Db,
  { clock }: Pick<Runtime, 'clock'>,
  orders: readonly OrderRecord[],
  error: string,
): Promise<void> {
  const ids = orders.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .update(batchOrders)
    .set({ status: 'failed', error, errorKind: null, updatedAt: noEarlier(batchOrders.updatedAt, clock.now()) })
    .where(inArray(batchOrders.id, ids));
}

type Holder = Pick<OrderRecord, 'id' | 'batchId' | 'size' | 'chainStepId' | 'createdAt'>;

/** Orders that hold what was handed out to the batch, and cost nothing. */
async function receive(
  tx: Db,
  { clock }: Pick<Runtime, 'clock'>,
  state: BatchState,
  { row, steps }: Submission,
): Promise<Holder[]> {
  const { batch } = state;
  const known = new Set(holdersOf(state).map(({ id }) => id));
  const last = Math.max(...[...holdersOf(state), ...state.sales].map(({ ordinal }) => ordinal), -1);
  const due = steps.flatMap((step) =>
    step.handedOut
      .filter(({ batchId, orderId }) => batchId === batch.id && !known.has(orderId))
      .map((handedOut) => ({ step, handedOut: { ...handedOut, shares: cameOf(step, handedOut) } }))
      .filter(({ handedOut }) => handedOut.shares > 0),
  );
  if (due.length === 0) return [];
  const now = clock.now();
  const rows = due.map(({ step, handedOut }, place) => ({
    ...receivedOrder(handedOut),
    opportunityId: batch.opportunityId,
    ordinal: last + 1 + place,
    chainStepId: step.id,
    submissionId: row.id,
    submissionPurpose: row.purpose,
    createdAt: now,
    updatedAt: now,
  }));
  await tx.execute(insertOf(batchOrders, rows));
  return rows;
}

function cameOf({ proof }: StepRow, { orderId, shares }: HandedOut): Shares {
  return proof?.kind === 'proven' ? (proof.handedOut[orderId] ?? shares) : shares;
}

function receivedOrder({ orderId, batchId, leg, marketId, marketName, tokenId, outcome, shares }: HandedOut) {
  return {
    ...{ id: orderId, batchId, leg, marketId, marketName, tokenId, outcome, side: 'buy' as const, size: shares },
    ...{ price: PRICE_ZERO, expectedPrice: PRICE_ZERO, feeRate: FRACTION_ZERO, status: 'processing' as const },
    ...{ filledSize: SHARES_ZERO, filledCost: USD_ZERO, fee: USD_ZERO },
  };
}

/** The whole of each order as one trade, which the chain has confirmed. */
async function match(
  tx: Db,
  { clock, random }: Pick<Runtime, 'clock' | 'random'>,
  { row }: Submission,
  matched: readonly { order: Holder; cost: Usd }[],
): Promise<void> {
  if (matched.length === 0) return;
  const now = clock.now();
  const endedAt = row.endedAt ?? now;
  const rows = matched.map(({ order: { id, batchId, size, createdAt }, cost }) => ({
    attempt: {
      ...{ id: random.uuid(), orderId: id, batchId, orderHash: `chain:${id}`, salt: '', payload: '', size },
      ...{ price: pricePerShare(cost, size, 'down'), status: 'matched' as const, matchedSize: size },
      ...{ createdAt, sentAt: row.sentAt ?? createdAt, answeredAt: endedAt, endedAt, reserved: true, updatedAt: now },
    },
    cost,
  }));
  await tx.execute(
    insertOf(
      attempts,
      rows.map(({ attempt }) => attempt),
    ),
  );
  await tx.execute(
    insertOf(
      fills,
      rows.map(({ attempt: { id, orderId, batchId, orderHash, price, size }, cost }) => ({
        ...{ tradeId: `chain:${orderId}`, orderHash, attemptId: id, batchId, price, size, cost, fee: USD_ZERO },
        ...{ settlement: 'confirmed' as const, matchedAt: endedAt, createdAt: now, settledAt: now },
      })),
    ),
  );
}
