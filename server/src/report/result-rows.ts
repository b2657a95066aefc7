/** The rows of what a batch promised and has come to. */
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { type BatchResult, batchResult, predictionOf, type ResultBatch } from '@dutchbook/engine/batch/result.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { attemptsOf, type BatchState, fillsOf, holdersOf, salesOf } from '../orders/batch-state.ts';
import type { BatchMarket } from './batch-markets.ts';
import type { batchResults, legResults } from './table.ts';

type Row = typeof batchResults.$inferInsert;
type LegRow = typeof legResults.$inferInsert;

/** Of its opportunity, as far as that is still there: where it came from, and the relation that it was found by. */
export type Origin = { source: string | null; structure: string | null; basis: string | null };

/** What has become of it; `batchId` says whose it is. */
export type ResultRows = { batch: ReturnType<typeof changingRow>; legs: ReturnType<typeof changingLegs> };

/** With what was fixed when it triggered. */
export type FirstRows = { batch: Row; legs: LegRow[] };

export function resultRows(state: BatchState, markets: ReadonlyMap<string, BatchMarket>, now: Instant): ResultRows {
  const result = batchResult(resultBatch(state));
  return {
    batch: changingRow(state, result, latestEnd(state, markets), now),
    legs: changingLegs(state, result),
  };
}

export function firstRows(
  state: BatchState,
  rows: ResultRows,
  origin: Origin,
  markets: ReadonlyMap<string, BatchMarket>,
): FirstRows {
  const { batch, orders } = state;
  const judged = resultBatch(state);
  const { cost, fees } = predictionOf(judged);
  const ages = orders.map(({ bookAgeMs }) => bookAgeMs).filter((age) => age !== null);
  return {
    batch: {
      ...rows.batch,
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
    legs: judged.orders.flatMap((order, place) => {
      const row = rows.legs[place];
      if (row === undefined) return [];
      const { leg, size, expectedPrice, expectedFee } = order;
      const fixed = { leg, hour: new Date(batch.createdAt).getUTCHours(), ordered: size };
      return [{ ...row, ...fixed, predictedPrice: expectedPrice, predictedFee: expectedFee ?? USD_ZERO }];
    }),
  };
}

/** Orders of before plans were kept are measured by their limit. */
function resultBatch(state: BatchState): ResultBatch {
  const { batch } = state;
  const tradedOf = (id: string) => ({ fills: fillsOf(state, id), sales: salesOf(state, id) });
  return {
    orders: state.orders.map((order) => ({
      ...order,
      ...tradedOf(order.id),
      expectedPrice: order.expectedPrice ?? order.price,
      attempts: attemptsOf(state, order.id),
    })),
    received: state.received.map(({ id, resolvedValue }) => ({ ...tradedOf(id), resolvedValue })),
    size: batch.orderSize,
    targetPrice: batch.targetPrice,
    predictedProfit: batch.targetProfit,
    isSplit: batch.splitStepId !== null,
    isActive: isActive(batch.status),
    isSoldOut: batch.soldAt !== null,
  };
}

function changingRow({ batch }: BatchState, result: BatchResult, releaseAt: Instant | null, now: Instant) {
  const { perOrder: _, lockedAt, ...figures } = result;
  return {
    batchId: batch.id,
    ...figures,
    lockDay: dayOf(lockedAt),
    cashDay: dayOf(result.cashAt),
    releaseAt,
    releaseMonth: dayOf(releaseAt)?.slice(0, 7) ?? null,
    changedAt: now,
  };
}

function changingLegs({ batch }: BatchState, { perOrder }: BatchResult) {
  return perOrder.map(({ order, ...figures }) => ({ batchId: batch.id, orderId: order.id, ...figures }));
}

function dayOf(instant: Instant | null): string | null {
  return instant === null ? null : instantToIso(instant).slice(0, 'yyyy-mm-dd'.length);
}

/** Null where it is not known of one of its markets. */
function latestEnd(state: BatchState, markets: ReadonlyMap<string, BatchMarket>): Instant | null {
  const ends = holdersOf(state).map(({ marketId }) => markets.get(marketId)?.endDate ?? null);
  const known = ends.filter((end) => end !== null);
  return known.length === 0 || known.length < ends.length ? null : (Math.max(...known) as Instant);
}

function eventOf({ batch, orders }: BatchState, markets: ReadonlyMap<string, BatchMarket>) {
  const [first] = orders;
  const event = markets.get(first?.marketId ?? '')?.event ?? null;
  if (event !== null) return { eventId: event.id, eventTitle: event.title };
  return { eventId: first?.marketId ?? batch.opportunityId, eventTitle: first?.marketName ?? 'Not known' };
}
