/** The rows of what a batch promised and of its result. */
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { realisedByDay, utcDayOf } from '@dutchbook/engine/batch/realised.ts';
import { type BatchResult, batchResult, predictionOf, type ResultBatch } from '@dutchbook/engine/batch/result.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { getTableColumns } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { attemptsOf, fillsOf, holdersOf, salesOf } from '../../trading/orders/batch-state.ts';
import { beforeConversions } from '../../trading/orders/under-conversion.ts';
import type { BatchMarket } from './batch-markets.ts';
import { beforePayouts } from './before-payouts.ts';
import type { ResultState } from './result-states.ts';
import { batchResults, type cashDays, legResults, type venueResults } from './table.ts';

type Row = typeof batchResults.$inferInsert;
type LegRow = typeof legResults.$inferInsert;
type CashDay = typeof cashDays.$inferInsert;
type VenueRow = typeof venueResults.$inferInsert;

/** Origin of its opportunity, as far as that still exists: source, and the relation that found it. */
export type Origin = { source: string | null; structure: string | null; basis: string | null };

export type ResultRows = { batch: Row; legs: LegRow[]; cashDays: CashDay[]; venues: VenueRow[] };

/** Fixed when it triggered: of a row that is there already nothing of this is written again. */
const FIXED: readonly (keyof Row | keyof LegRow)[] = [
  ...(['batchId', 'operatorId', 'automatic', 'source', 'structure', 'basis', 'eventId', 'eventTitle'] as const),
  ...(['triggeredAt', 'size', 'predictedCost', 'predictedFees', 'predictedProfit', 'booksAgeMs'] as const),
  ...(['orderId', 'leg', 'hour', 'ordered', 'predictedPrice', 'predictedFee'] as const),
];
export const CHANGING = changingColumns(batchResults);
export const CHANGING_OF_LEGS = changingColumns(legResults);

function changingColumns(table: PgTable): PgColumn[] {
  const isFixed = (key: string) => FIXED.some((fixed) => fixed === key);
  const columns = Object.entries(getTableColumns(table));
  return columns.flatMap(([key, column]) => (isFixed(key) || column.generated !== undefined ? [] : [column]));
}

export function resultRows(
  state: ResultState,
  origin: Origin,
  markets: ReadonlyMap<string, BatchMarket>,
  now: Instant,
): ResultRows {
  const { batch, orders } = state;
  const whole = beforePayouts(state, markets);
  const judged = resultBatch(whole);
  const result = batchResult(judged);
  const bound = whole === state ? result : batchResult(resultBatch(state));
  const { cost, fees } = predictionOf(judged);
  const ages = orders.map(({ bookAgeMs }) => bookAgeMs).filter((age) => age !== null);
  return {
    batch: {
      ...changingRow(result, latestEnd(state, markets), now),
      // What has been paid is not bound any more, as it is no open exposure, whatever becomes of the rest of its set.
      ...{ locked: bound.locked, capitalDays: bound.capitalDays },
      batchId: batch.id,
      operatorId: batch.createdBy,
      automatic: batch.automatic,
      ...origin,
      ...eventOf(state, markets),
      triggeredAt: batch.createdAt,
      size: batch.orderSize,
      predictedCost: cost,
      predictedFees: fees,
      predictedProfit: batch.targetProfit,
      booksAgeMs: ages.length === 0 ? null : Math.max(...ages),
    },
    legs: result.perOrder.map(({ order, ...figures }) => ({
      ...{ batchId: batch.id, orderId: order.id, ...figures },
      ...{ leg: order.leg, hour: new Date(batch.createdAt).getUTCHours(), ordered: order.size },
      ...{ predictedPrice: order.expectedPrice, predictedFee: order.expectedFee ?? USD_ZERO },
    })),
    cashDays: cashDaysOf(batch, result),
    venues: venueRows(batch.id, result.perVenue, bound.perVenue),
  };
}

/** Both name the venues of all that the batch may hold. */
function venueRows(batchId: string, parts: BatchResult['perVenue'], bound: BatchResult['perVenue']): VenueRow[] {
  if (parts.length < 2) return [];
  const lockedAt = new Map(bound.map(({ venue, locked }) => [venue, locked]));
  return parts.map((part) => ({ batchId, ...part, locked: lockedAt.get(part.venue) ?? part.locked }));
}

function cashDaysOf({ id, createdAt }: ResultState['batch'], { paidParts }: BatchResult): CashDay[] {
  return [...realisedByDay(paidParts, createdAt)].map(([day, amounts]) => ({ batchId: id, day, ...amounts }));
}

/** Orders older than stored plans are measured by their limit. */
function resultBatch(stored: ResultState): ResultBatch {
  const state = beforeConversions(stored);
  const { batch } = state;
  const tradedOf = (id: string) => ({ fills: fillsOf(state, id), sales: salesOf(state, id) });
  return {
    orders: state.orders.map((order) => ({
      ...order,
      ...tradedOf(order.id),
      expectedPrice: order.expectedPrice ?? order.price,
      attempts: attemptsOf(state, order.id),
    })),
    received: state.received.map(({ id, tokenId, marketId, outcome, resolvedValue, resolvedAt, goneSize, goneAt }) => ({
      ...tradedOf(id),
      ...{ tokenId, marketId, outcome, resolvedValue, resolvedAt, goneSize, goneAt },
    })),
    size: batch.orderSize,
    targetPrice: batch.targetPrice,
    predictedProfit: batch.targetProfit,
    isSplit: batch.splitStepId !== null,
    isActive: isActive(batch.status),
    isSoldOut: batch.soldAt !== null,
  };
}

function changingRow(result: BatchResult, releaseAt: Instant | null, now: Instant) {
  const { perOrder: _, paidParts: __, perVenue: ___, lockedAt, ...figures } = result;
  return {
    ...figures,
    datedProfit: result.paidProfit,
    lockDay: lockedAt === null ? null : utcDayOf(lockedAt),
    cashDay: result.cashAt === null ? null : utcDayOf(result.cashAt),
    releaseAt,
    releaseMonth: releaseAt === null ? null : utcDayOf(releaseAt).slice(0, 7),
    changedAt: now,
  };
}

/** Null where it is not known of one of its markets. */
function latestEnd(state: ResultState, markets: ReadonlyMap<string, BatchMarket>): Instant | null {
  const ends = holdersOf(state).map(({ marketId }) => markets.get(marketId)?.endDate ?? null);
  const known = ends.filter((end) => end !== null);
  return known.length === 0 || known.length < ends.length ? null : (Math.max(...known) as Instant);
}

function eventOf({ batch, orders }: ResultState, markets: ReadonlyMap<string, BatchMarket>) {
  const [first] = orders;
  const event = markets.get(first?.marketId ?? '')?.event ?? null;
  if (event !== null) return { eventId: event.id, eventTitle: event.title };
  return { eventId: first?.marketId ?? batch.opportunityId, eventTitle: first?.marketName ?? 'Not known' };
}
