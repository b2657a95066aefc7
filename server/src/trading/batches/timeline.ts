/** The timeline of a batch and its orders, read from their rows. */
import type { TimelineEntry, TimelineEvent } from '@dutchbook/contract/execution.ts';
import { endedBatchStatus, isActive } from '@dutchbook/engine/batch/life.ts';
import { wasAccepted } from '@dutchbook/engine/order/life.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import type { SubmissionRow } from '../chain-steps/store.ts';
import { answerAbout, failureOf, presentError, wasUnknown } from '../orders/attempt-wording.ts';
import {
  type AttemptRecord,
  attemptsOf,
  type BatchRecord,
  type BatchState,
  type FillRecord,
  fillsOf,
  holdersOf,
  howSold,
  minSuccessOf,
  type OrderRecord,
  orderStates,
} from '../orders/batch-state.ts';

/** How events of one moment follow on each other: the batch is bought, it ends, what it holds settles and is sold. */
const ORDER_OF_LIFE: Record<TimelineEvent, number> = {
  decided: 0,
  retry_requested: 1,
  sale_decided: 2,
  committed: 3,
  sent: 4,
  in_doubt: 5,
  acknowledged: 6,
  refused: 6,
  filled: 7,
  cancel_requested: 8,
  never_sent: 9,
  order_canceled: 9,
  settled: 10,
  settlement_failed: 10,
  completed: 11,
  partial_completed: 11,
  failed: 11,
  canceled: 11,
  sold: 13,
  conversion_planned: 2,
  conversion_sent: 4,
  conversion_unknown: 5,
  conversion_mined: 6,
  conversion_confirmed: 7,
  conversion_failed: 7,
};
/** Selling comes after buying, also where both happen in one millisecond. */
const ORDER_OF_SELLING = 12;

type OrderedEntry = { entry: TimelineEntry; ordinal: number };
/** Submissions by the id of each of their calls. */
type Conversions = ReadonlyMap<string, SubmissionRow>;

/**
 * Oldest first; `conversions` of all orders that contracts convert into dollars. Of a batch that was retried more than once only the last asking and the
 * last end are known.
 */
export function timelineOf(state: BatchState, conversions: Conversions = new Map()): TimelineEntry[] {
  const reported: OrderedEntry[] = [
    ...batchEvents(state).map((entry) => ({ entry, ordinal: -1 })),
    ...[...holdersOf(state), ...state.sales].flatMap((order) =>
      orderEvents(state, order, conversions).map((entry) => ({ entry, ordinal: order.ordinal })),
    ),
  ];
  return reported
    .toSorted((a, b) => a.entry.at - b.entry.at || placeInLife(a.entry) - placeInLife(b.entry) || a.ordinal - b.ordinal)
    .map(({ entry }) => entry);
}

function placeInLife({ event, side }: TimelineEntry): number {
  return side === 'sell' ? ORDER_OF_SELLING + ORDER_OF_LIFE[event] / 100 : ORDER_OF_LIFE[event];
}

type Details = { size?: Shares; price?: Price | null; detail?: string | null };

const OF_NO_ORDER = { order_id: null, leg: null, market_name: null, outcome: null, side: null };

function ofBatch(at: Instant, event: TimelineEvent, { size, price, detail }: Details = {}): TimelineEntry {
  return { at, event, ...OF_NO_ORDER, size: size ?? null, price: price ?? null, detail: detail ?? null };
}

function batchEvents(state: BatchState): TimelineEntry[] {
  const { batch } = state;
  const { retryRequestedAt, cancelRequestedAt, executionCompletedAt, soldAt, maxRetries } = batch;
  const nth = batch.retryCount + (batch.retryCounted ? 0 : 1);
  const who = batch.automatic ? 'Placed automatically' : 'Placed by hand';
  const detail = `${who}${batch.simulated ? ', simulated' : ''}.`;
  const entries = [ofBatch(batch.createdAt, 'decided', { size: batch.orderSize, detail })];
  if (retryRequestedAt !== null) {
    entries.push(ofBatch(retryRequestedAt, 'retry_requested', { detail: `Retry ${nth} of ${maxRetries}.` }));
  }
  if (cancelRequestedAt !== null) entries.push(ofBatch(cancelRequestedAt, 'cancel_requested'));
  if (executionCompletedAt !== null && !isActive(batch.status)) {
    entries.push(...endEvents(state, executionCompletedAt));
  }
  if (soldAt !== null) entries.push(ofBatch(soldAt, 'sold', { detail: soldWords(state) }));
  return entries;
}

function soldWords({ sales }: BatchState): string {
  const how = howSold(sales);
  return `${how.charAt(0).toUpperCase()}${how.slice(1)}.`;
}

/** The status that the batch ended with and, where trades were undone after that, its status since. */
function endEvents(state: BatchState, endedAt: Instant): TimelineEntry[] {
  const now = endedAs(state);
  const detail = now === 'completed' ? null : state.batch.lastError;
  const isUndone = ({ settlement, settledAt }: FillRecord) => settlement === 'failed' && (settledAt ?? 0) > endedAt;
  const undone = state.orders.flatMap(({ id }) => fillsOf(state, id)).filter(isUndone);
  const fills = state.fills.map((fill) => (isUndone(fill) ? { ...fill, settlement: 'matched' as const } : fill));
  const then = endedBatchStatus(orderStates({ ...state, fills }), minSuccessOf(state));
  if (undone.length === 0 || then === null || then === now || now === 'canceled') {
    return [ofBatch(endedAt, now, { detail })];
  }
  const undoneAt = Math.max(...undone.map(({ settledAt }) => settledAt ?? endedAt)) as Instant;
  return [ofBatch(endedAt, then), ofBatch(undoneAt, now, { detail })];
}

/** The status that a batch which is sold by now had before that. */
function endedAs(state: BatchState) {
  const { status } = state.batch;
  if (status === 'partial_completed' || status === 'failed' || status === 'canceled') return status;
  const ended = endedBatchStatus(orderStates(state), minSuccessOf(state));
  return status === 'sold' ? (ended ?? 'completed') : 'completed';
}

function orderEvents(state: BatchState, order: OrderRecord, conversions: Conversions): TimelineEntry[] {
  const { id, leg, marketName, outcome, side, size, price, status } = order;
  const tell: Tell = (at, event, details = {}) => {
    const { size: shares = null, price: atPrice = null, detail = null } = details;
    return {
      at,
      event,
      order_id: id,
      leg,
      market_name: marketName,
      outcome,
      side,
      size: shares,
      price: atPrice,
      detail,
    };
  };
  if (order.chainStepId !== null) return conversionEvents(conversions.get(order.chainStepId), order, tell);
  const own = attemptsOf(state, id);
  const entries = side === 'sell' ? [tell(order.createdAt, 'sale_decided', { size, price })] : [];
  if (own.length === 0 && (status === 'failed' || status === 'canceled')) {
    entries.push(tell(order.updatedAt, 'never_sent', { detail: presentError(order) }));
  }
  return [
    ...entries,
    ...own.flatMap((attempt) => attemptEvents(state.batch, attempt, tell)),
    ...fillsOf(state, id).flatMap((fill) => fillEvents(fill, tell)),
  ];
}

type Tell = (at: Instant, event: TimelineEvent, details?: Details) => TimelineEntry;

function attemptEvents(batch: BatchRecord, attempt: AttemptRecord, tell: Tell): TimelineEntry[] {
  const { status, size, price, reason, sentAt, answeredAt, updatedAt } = attempt;
  const terms = { size, price };
  const entries = [tell(attempt.createdAt, 'committed', terms)];
  if (sentAt !== null) entries.push(tell(sentAt, 'sent', terms));
  if (wasUnknown(attempt)) entries.push(tell(sentAt ?? updatedAt, 'in_doubt', { detail: answerAbout(attempt) }));
  if (wasAccepted(status)) entries.push(tell(answeredAt ?? updatedAt, 'acknowledged', terms));
  if (status === 'rejected') entries.push(tell(answeredAt ?? updatedAt, 'refused', { ...terms, detail: reason }));
  if (status === 'failed')
    entries.push(tell(answeredAt ?? updatedAt, 'never_sent', { ...terms, detail: failureOf(attempt) }));
  if (status === 'canceled') entries.push(tell(canceledAt(batch, attempt), 'order_canceled', { detail: reason }));
  return entries;
}

/**
 * Where no end is recorded, an order counts as canceled when it was last read, and at the latest when its batch or retry
 * ended: the runner reads it again later, while its trades settle.
 */
function canceledAt({ executionCompletedAt, retryRequestedAt }: BatchRecord, attempt: AttemptRecord): Instant {
  if (attempt.endedAt !== null) return attempt.endedAt;
  const ends = [attempt.updatedAt, executionCompletedAt, retryRequestedAt].filter(
    (at): at is Instant => at !== null && at >= attempt.createdAt,
  );
  return Math.min(...ends) as Instant;
}

function fillEvents({ size, price, fee, settlement, matchedAt, settledAt }: FillRecord, tell: Tell): TimelineEntry[] {
  const terms = { size, price };
  const filled = tell(matchedAt, 'filled', { ...terms, ...(fee > 0 && { detail: `Fee ${formatUsd(fee)}.` }) });
  if (settledAt === null) return [filled];
  return [filled, tell(settledAt, settlement === 'failed' ? 'settlement_failed' : 'settled', terms)];
}

/** Events of shares that are converted into dollars, and of shares handed out for them. */
function conversionEvents(
  conversion: SubmissionRow | undefined,
  { side, size, price }: OrderRecord,
  tell: Tell,
): TimelineEntry[] {
  if (conversion === undefined) return [];
  const { createdAt, sentAt, unknownSince, minedAt, endedAt, hash, block, error, byVenue } = conversion;
  const terms = { size, price };
  const inTransaction = hash === null ? null : `Transaction ${hash}${block === null ? '' : ` in block ${block}`}.`;
  const entries: TimelineEntry[] = [];
  if (side === 'sell' || conversion.purpose === 'split') {
    entries.push(
      tell(createdAt, 'conversion_planned', { ...terms, detail: byVenue ? 'Redeemed by the venue.' : null }),
    );
    if (sentAt !== null) entries.push(tell(sentAt, 'conversion_sent', terms));
    if (unknownSince !== null) entries.push(tell(unknownSince, 'conversion_unknown', { ...terms, detail: error }));
    if (minedAt !== null) entries.push(tell(minedAt, 'conversion_mined', { ...terms, detail: inTransaction }));
  }
  if (endedAt === null) return entries;
  const isFailed = conversion.status === 'failed';
  const detail = isFailed ? [error, inTransaction].filter((text) => text !== null).join(' ') : inTransaction;
  return [...entries, tell(endedAt, isFailed ? 'conversion_failed' : 'conversion_confirmed', { ...terms, detail })];
}
