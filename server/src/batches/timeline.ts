/** What happened to a batch and its orders, told from the rows that record it. */
import type { TimelineEntry, TimelineEvent } from '@dutchbook/contract/execution.ts';
import { SUCCESS_MARKER } from '@dutchbook/contract/orders.ts';
import { isActive, settleBatchStatus } from '@dutchbook/engine/batch/life.ts';
import { wasAccepted } from '@dutchbook/engine/order/life.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { isInDoubt } from '../trading/placing/batch-state.ts';
import { fillsOfOrder, type StoredOrders } from '../trading/selling/holdings.ts';
import type { attempts, batches, batchOrders, fills } from '../world/schema.ts';

type BatchRecord = typeof batches.$inferSelect;
type OrderRecord = typeof batchOrders.$inferSelect;
type AttemptRecord = typeof attempts.$inferSelect;
type FillRecord = typeof fills.$inferSelect;

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
};
/** Selling comes after buying, also where both happen in one millisecond. */
const ORDER_OF_SELLING = 12;

type Told = { entry: TimelineEntry; ordinal: number };

/** Oldest first. Of a batch that was retried more than once only the last asking and the last end are known. */
export function timelineOf(batch: BatchRecord, stored: StoredOrders): TimelineEntry[] {
  const told: Told[] = [
    ...batchEvents(batch, stored).map((entry) => ({ entry, ordinal: -1 })),
    ...stored.orders.flatMap((order) =>
      orderEvents(batch, stored, order).map((entry) => ({ entry, ordinal: order.ordinal })),
    ),
  ];
  return told
    .toSorted((a, b) => a.entry.at - b.entry.at || placeInLife(a.entry) - placeInLife(b.entry) || a.ordinal - b.ordinal)
    .map(({ entry }) => entry);
}

function placeInLife({ event, side }: TimelineEntry): number {
  return side === 'sell' ? ORDER_OF_SELLING + ORDER_OF_LIFE[event] / 100 : ORDER_OF_LIFE[event];
}

type Facts = { size?: Shares; price?: Price | null; detail?: string | null };

const OF_NO_ORDER = { order_id: null, leg: null, market_name: null, outcome: null, side: null };

function ofBatch(at: Instant, event: TimelineEvent, { size, price, detail }: Facts = {}): TimelineEntry {
  return { at, event, ...OF_NO_ORDER, size: size ?? null, price: price ?? null, detail: detail ?? null };
}

function batchEvents(batch: BatchRecord, stored: StoredOrders): TimelineEntry[] {
  const { retryRequestedAt, cancelRequestedAt, executionCompletedAt, soldAt, retryCount, maxRetries } = batch;
  const who = batch.automatic ? 'Placed automatically' : 'Placed by hand';
  const detail = `${who}${batch.simulated ? ', simulated' : ''}.`;
  const entries = [ofBatch(batch.createdAt, 'decided', { size: batch.orderSize, detail })];
  if (retryRequestedAt !== null) {
    entries.push(ofBatch(retryRequestedAt, 'retry_requested', { detail: `Retry ${retryCount} of ${maxRetries}.` }));
  }
  if (cancelRequestedAt !== null) entries.push(ofBatch(cancelRequestedAt, 'cancel_requested'));
  if (executionCompletedAt !== null && !isActive(batch.status)) {
    const event = endedAs(batch, stored);
    entries.push(ofBatch(executionCompletedAt, event, event === 'completed' ? {} : { detail: batch.lastError }));
  }
  if (soldAt !== null) entries.push(ofBatch(soldAt, 'sold'));
  return entries;
}

/** What a batch that is sold by now had come to before that. */
function endedAs({ status, settings }: BatchRecord, stored: StoredOrders) {
  if (status === 'partial_completed' || status === 'failed' || status === 'canceled') return status;
  const bought = stored.orders
    .filter(({ side }) => side === 'buy')
    .map(({ id, size }) => ({ size, attempts: attemptsOf(stored, id), fills: fillsOfOrder(stored, id) }));
  const settled = settleBatchStatus(bought, fractionFromNumber(settings.BATCH_MIN_SUCCESS_RATE));
  return status === 'sold' ? (settled ?? 'completed') : 'completed';
}

function orderEvents(batch: BatchRecord, stored: StoredOrders, order: OrderRecord): TimelineEntry[] {
  const { id, leg, marketName, outcome, side, size, price, status } = order;
  const tell: Tell = (at, event, facts = {}) => {
    const { size: shares = null, price: atPrice = null, detail = null } = facts;
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
  const own = attemptsOf(stored, id);
  const entries = side === 'sell' ? [tell(order.createdAt, 'sale_decided', { size, price })] : [];
  if (own.length === 0 && (status === 'failed' || status === 'canceled')) {
    entries.push(tell(order.updatedAt, 'never_sent', { detail: order.error }));
  }
  return [
    ...entries,
    ...own.flatMap((attempt) => attemptEvents(batch, attempt, tell)),
    ...fillsOfOrder(stored, id).flatMap((fill) => fillEvents(fill, tell)),
  ];
}

type Tell = (at: Instant, event: TimelineEvent, facts?: Facts) => TimelineEntry;

function attemptEvents(batch: BatchRecord, attempt: AttemptRecord, tell: Tell): TimelineEntry[] {
  const { status, size, price, reason, sentAt, answeredAt, updatedAt } = attempt;
  const terms = { size, price };
  const entries = [tell(attempt.createdAt, 'committed', terms)];
  if (sentAt !== null) entries.push(tell(sentAt, 'sent', terms));
  if (isInDoubt(attempt) || reason?.includes(SUCCESS_MARKER))
    entries.push(tell(sentAt ?? updatedAt, 'in_doubt', { detail: attempt.lookupAnswer ?? reason }));
  if (wasAccepted(status)) entries.push(tell(answeredAt ?? updatedAt, 'acknowledged', terms));
  if (status === 'refused') entries.push(tell(answeredAt ?? updatedAt, 'refused', { ...terms, detail: reason }));
  if (status === 'failed') entries.push(tell(answeredAt ?? updatedAt, 'never_sent', { ...terms, detail: reason }));
  if (status === 'canceled') entries.push(tell(canceledAt(batch, attempt), 'order_canceled', { detail: reason }));
  return entries;
}

/**
 * Where its end was not written down, an order was canceled when it was last read, and at the latest when what it was
 * part of had ended: it is read again while its trades settle.
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

function attemptsOf(stored: StoredOrders, id: string): AttemptRecord[] {
  return stored.attempts.filter(({ orderId }) => orderId === id);
}
