/** Asks a venue about orders of a batch, and writes the answers. */
import type { AttemptUpdate } from '@dutchbook/engine/order/attempt-update.ts';
import { isGoneBy, standingOf } from '@dutchbook/engine/order/standing.ts';
import { type CancelOutcome, UnreadableTrade, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { type AttemptRecord, type BatchState, orderOf } from '../../orders/batch-state.ts';
import { notifyUnreadableTrade } from '../recovery/unreadable-trades.ts';
import type { Lease } from './batch-lease.ts';
import { recordAttemptUpdates } from './batch-writes.ts';
import type { StepTools } from './venue-steps.ts';

export async function readAll(
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  attemptIds: readonly string[],
  canceled: ReadonlyMap<string, CancelOutcome['kind']>,
): Promise<BatchState> {
  const { runtime } = tools;
  const updates = await Promise.all(
    attemptsById(state, attemptIds).map((attempt) =>
      readAttempt(tools, state, attempt, canceled.get(attempt.orderHash) ?? null),
    ),
  );
  runtime.pass('fills_read');
  const recorded = await recordAttemptUpdates(
    runtime,
    lease,
    updates.filter((item) => item !== null),
  );
  runtime.pass('fills_recorded');
  return recorded;
}

/**
 * Order first, then trades: the trades are then at least as new as the matched size they must add up to. Of an order that
 * is matched only the trades can change, by how they settle.
 */
async function readAttempt(
  { trading, runtime, reportedGone, isFirstUnreadable }: StepTools,
  state: BatchState,
  attempt: AttemptRecord,
  canceled: CancelOutcome['kind'] | null,
): Promise<AttemptUpdate | null> {
  const { orderHash } = attempt;
  const { marketId, feeRate } = orderOf(state, attempt.orderId);
  const readFills = async () => {
    const reported = await trading.fillsOfOrder(orderHash, marketId, attempt.feeRate ?? feeRate);
    return reported.map(({ tradeId, price, size, cost, fee, settlement, matchedAt }) => {
      return { attemptId: attempt.id, tradeId, orderHash, price, size, cost, fee, settlement, matchedAt };
    });
  };
  try {
    if (attempt.status === 'matched') return { attemptId: attempt.id, fills: await readFills() };
    const lookup = await trading.lookupOrder(orderHash, marketId);
    const fills = await readFills();
    const isReportedGone = isGoneBy(canceled, attempt.status) || reportedGone(attempt.id);
    const standing = standingOf(attempt, lookup, fills, { isReportedGone, now: runtime.clock.now() });
    return { attemptId: attempt.id, fills, ...standing };
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    if (error instanceof UnreadableTrade && isFirstUnreadable(error.tradeId))
      await notifyUnreadableTrade(runtime, state, attempt, error);
    runtime.log.warn({ orderHash, reason: error.message }, 'order read failed');
    return null;
  }
}

export function attemptsById(state: BatchState, ids: readonly string[]): AttemptRecord[] {
  return state.attempts.filter(({ id }) => ids.includes(id));
}
