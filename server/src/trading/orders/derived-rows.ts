/** Derives the rows of a batch and of its orders from attempts and fills. */
import { batchFigures, type Unhedged } from '@dutchbook/engine/batch/figures.ts';
import { isSoldOut } from '@dutchbook/engine/batch/holding.ts';
import { type BatchEvent, endedBatchStatus, resettled } from '@dutchbook/engine/batch/life.ts';
import { dollarsOf, standingFills } from '@dutchbook/engine/order/fill.ts';
import { batchOrderStatus, filledSize, hasAttemptEnded } from '@dutchbook/engine/order/life.ts';
import { holdsMoreThanFees } from '@dutchbook/engine/order/open-cost.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import {
  type BatchRecord,
  type BatchState,
  fillsOf,
  hasEnded,
  holdersOf,
  minSuccessOf,
  type OrderRecord,
  orderState,
  orderStates,
  salesOf,
} from './batch-state.ts';
import { holdingOfOrder } from './holdings.ts';
import type { StoredUnhedged } from './table.ts';
import { beforeConversions } from './under-conversion.ts';

/** An order's derived columns, from its attempts and fills. */
export function derivedOrder(state: BatchState, order: OrderRecord): Partial<OrderRecord> {
  const current = orderState(state, order);
  const standing = standingFills(current.fills);
  return {
    status: batchOrderStatus(current),
    filledSize: filledSize(current.fills),
    filledCost: dollarsOf(standing),
    fee: standing.reduce((sum, fill) => addUsd(sum, fill.fee), USD_ZERO),
    attemptCount: current.attempts.length,
    ...(order.side === 'buy' ? { soldSize: filledSize(salesOf(state, order.id)) } : {}),
  };
}

type Derived =
  | 'totalOrders'
  | 'actualProfit'
  | 'unhedged'
  | 'unhedgedSince'
  | 'legRiskNotifiedAt'
  | 'unknownOrders'
  | 'saleUnderWay'
  | 'soldAt';

/** A batch's derived columns, from all its fills. Profit is unknown until the venue has taken an order. */
export function derivedBatch(state: BatchState, now: Instant): Pick<BatchRecord, Derived> {
  const { batch } = state;
  const counted = beforeConversions(state);
  const orders = state.orders.map((order) => ({
    ...order,
    ...orderState(state, order),
    sales: salesOf(counted, order.id),
  }));
  const soldAt = stillSoldSince(state) ?? (isSoldAgain(state) ? now : null);
  const received = counted.received.map((order) => ({
    ...order,
    ...{ fills: fillsOf(state, order.id), sales: salesOf(counted, order.id) },
  }));
  const { totalOrders, actualProfit, unhedged } = batchFigures(orders, batch.targetPrice, soldAt !== null, received);
  return {
    soldAt,
    saleUnderWay: isSelling(state),
    totalOrders,
    actualProfit: totalOrders === 0 ? null : actualProfit,
    unhedged: unhedged === null ? null : storedUnhedged(state, unhedged),
    unhedgedSince: unhedged === null ? null : (batch.unhedgedSince ?? now),
    legRiskNotifiedAt: unhedged === null ? null : batch.legRiskNotifiedAt,
    unknownOrders: new Set(state.attempts.filter(({ status }) => status === 'unknown').map(({ orderId }) => orderId))
      .size,
  };
}

/** A sell order that had been given up, and turns up after its sale has ended, is under way again. */
function isSelling(state: BatchState): boolean {
  return state.batch.saleUnderWay || state.sales.some((sale) => !hasEnded(state, sale));
}

/** Null once shares are held again: a trade of a sale has failed to settle since, or one that bought has turned up. */
function stillSoldSince(state: BatchState): Instant | null {
  const { soldAt } = state.batch;
  if (soldAt === null) return null;
  const hasFailed = holdersOf(state)
    .flatMap(({ id }) => salesOf(state, id))
    .some(({ settlement, settledAt }) => settlement === 'failed' && settledAt !== null && settledAt >= soldAt);
  return hasFailed || holdersOf(state).some((order) => holdsMoreThanFees(holdingOfOrder(state, order))) ? null : soldAt;
}

/** A trade that had failed to settle has settled after all: by the fills nothing is left, and nothing is being sold. */
function isSoldAgain(state: BatchState): boolean {
  if (isSelling(state)) return false;
  return isSoldOut(holdersOf(state).map((order) => ({ holding: holdingOfOrder(state, order), atVenue: null })));
}

function storedUnhedged(state: BatchState, { positions, worstLoss }: Unhedged): StoredUnhedged {
  return {
    worstLoss,
    positions: positions.flatMap(({ tokenId, outcome, shares, atRisk }) =>
      state.orders
        .filter((order) => order.tokenId === tokenId)
        .map(({ id, marketName }) => ({ orderId: id, marketName, outcome, shares, atRisk })),
    ),
  };
}

/** The event that a batch which has ended is due, because fills or sales settled otherwise, or turned up, since. */
export function statusAfterResettlement(state: BatchState): BatchEvent | null {
  return resettled(state.batch.status, orderStates(state), state.batch.soldAt !== null, minSuccessOf(state));
}

/** Whether a batch that is buying has nothing left to do, and all that it wanted. */
export function isBought(state: BatchState): boolean {
  const { status, cancelRequestedAt, splitStepId } = state.batch;
  if (status !== 'processing' || cancelRequestedAt !== null || splitStepId !== null) return false;
  if (!state.attempts.every((attempt) => hasAttemptEnded(attempt.status))) return false;
  return endedBatchStatus(orderStates(state), minSuccessOf(state)) === 'completed';
}
