/** How a batch ends, and what may still become of it afterwards. */

import { isSoldOut } from '@dutchbook/engine/batch/holding.ts';
import { type BatchEvent, endedBatchStatus, stoppedAs } from '@dutchbook/engine/batch/life.ts';
import { holdsMoreThanFees } from '@dutchbook/engine/order/open-cost.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { failureOf } from '../../orders/attempt-wording.ts';
import { attemptsOf, type BatchState, holdersOf, minSuccessOf, orderStates } from '../../orders/batch-state.ts';
import { holdingOfOrder } from '../../orders/holdings.ts';
import type { RoutedTrading } from '../../venue-desk/routed-trading.ts';
import { refusalOfRetry } from '../placing/retry.ts';
import type { Lease } from './batch-lease.ts';
import { finishBatch, finishSales } from './batch-writes.ts';

/** Every order is final, or none will be sent any more: the batch ends as its fills say. */
export async function endBatch(runtime: Runtime, lease: Lease, state: BatchState): Promise<BatchState> {
  const event = state.batch.cancelRequestedAt === null ? endedAs(state) : stoppedAs(orderStates(state));
  const reason = event === 'completed' ? null : firstReason(state);
  const ended = await finishBatch(runtime, lease, state, { event, reason });
  runtime.pass('batch_ended');
  return ended;
}

/** A retry that may not start: the batch is again what it was before, and says why. */
export async function endRetry(
  runtime: Runtime,
  lease: Lease,
  state: BatchState,
  reasons: readonly string[],
): Promise<BatchState> {
  return await finishBatch(runtime, lease, state, {
    event: endedAs(state),
    reason: refusalOfRetry(reasons),
  });
}

/** All sell orders have ended. Null while it cannot be known whether anything is left: it is asked again. */
export async function endSales(
  runtime: Runtime,
  trading: Pick<RoutedTrading, 'holding'>,
  lease: Lease,
  state: BatchState,
): Promise<BatchState | null> {
  const soldOut = await nothingIsLeft(runtime, trading, state);
  if (soldOut === null) return null;
  const finished = await finishSales(runtime, lease, soldOut);
  runtime.pass('sales_finished');
  return finished;
}

async function nothingIsLeft(
  runtime: Runtime,
  trading: Pick<RoutedTrading, 'holding'>,
  state: BatchState,
): Promise<boolean | null> {
  const holdings = holdersOf(state).map((order) => ({ tokenId: order.tokenId, holding: holdingOfOrder(state, order) }));
  if (isSoldOut(holdings.map(({ holding }) => ({ holding, atVenue: null })))) return true;
  if (state.batch.simulated || !holdings.some(({ holding }) => holding.sold > 0)) return false;
  try {
    const asked = holdings.map(async ({ tokenId, holding }) => {
      const isAsked = holding.held > 0 && !holdsMoreThanFees(holding);
      return { holding, atVenue: isAsked ? (await trading.holding(tokenId)).shares : null };
    });
    return isSoldOut(await Promise.all(asked));
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    runtime.log.warn({ batchId: state.batch.id, reason: error.message }, 'end of sale put off, holding not read');
    return null;
  }
}

function endedAs(state: BatchState): BatchEvent {
  const attempted = state.orders.every(({ id }) => attemptsOf(state, id).length > 0);
  const event = attempted ? endedBatchStatus(orderStates(state), minSuccessOf(state)) : 'failed';
  if (event === null) throw new Error(`batch ${state.batch.id} is ended before every order is final`);
  return state.batch.canceledBefore && event !== 'completed' ? 'canceled' : event;
}

function firstReason(state: BatchState): string | null {
  return state.batch.lastError ?? state.attempts.map(failureOf).find((failure) => failure !== null) ?? null;
}
