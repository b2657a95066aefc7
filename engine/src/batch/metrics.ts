/** How well a batch was filled, and how fast. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { notional, pricePerShare, type Usd } from '@dutchbook/units/usd.ts';
import { totalSize } from '../book/walk.ts';
import { dollarsOf, type Fill, standingFills } from '../order/fill.ts';

export type TimedFill = Fill & { matchedAt: Instant };

/** A buy of the batch. `expectedPrice` is what its plan expected to pay on average for a share. */
export type MeasuredOrder = { id: string; expectedPrice: Price; fills: readonly TimedFill[] };

/**
 * `slippage` is what the fills cost beyond the expected price, before fees; below zero they were cheaper. Times are from
 * the start of execution, null before the first fill.
 */
export type FillMetrics = {
  filled: Usd;
  fees: Usd;
  slippage: Usd;
  firstFillMs: number | null;
  lastFillMs: number | null;
};

export type OrderMetrics = FillMetrics & { orderId: string; filledSize: Shares; averagePrice: Price | null };

export type BatchMetrics = FillMetrics & { perOrder: OrderMetrics[] };

/** The totals are the sums of the orders. Fills whose settlement failed do not count. `decidedAt`: from when times count, as in the timeline and the report. */
export function batchMetrics(orders: readonly MeasuredOrder[], decidedAt: Instant): BatchMetrics {
  const perOrder = orders.map((order) => orderMetrics(order, decidedAt));
  const sum = (of: (order: OrderMetrics) => Usd) => perOrder.reduce((total, order) => total + of(order), 0) as Usd;
  const times = perOrder.flatMap(({ firstFillMs, lastFillMs }) => [firstFillMs, lastFillMs]);
  return {
    filled: sum(({ filled }) => filled),
    fees: sum(({ fees }) => fees),
    slippage: sum(({ slippage }) => slippage),
    ...firstAndLast(times.filter((ms) => ms !== null)),
    perOrder,
  };
}

function orderMetrics({ id, expectedPrice, fills }: MeasuredOrder, decidedAt: Instant): OrderMetrics {
  const standing = standingFills(fills);
  const filledSize = totalSize(standing);
  const filled = dollarsOf(standing);
  const counted = new Set(standing.map(({ tradeId, attemptId }) => JSON.stringify([tradeId, attemptId])));
  const times = fills
    .filter(({ tradeId, attemptId }) => counted.has(JSON.stringify([tradeId, attemptId])))
    .map(({ matchedAt }) => Math.max(0, matchedAt - decidedAt));
  return {
    orderId: id,
    filledSize,
    averagePrice: filledSize === 0 ? null : pricePerShare(filled, filledSize, 'up'),
    filled,
    fees: standing.reduce((total, { fee }) => total + fee, 0) as Usd,
    slippage: (filled - notional(filledSize, expectedPrice, 'up')) as Usd,
    ...firstAndLast(times),
  };
}

function firstAndLast(times: readonly number[]): Pick<FillMetrics, 'firstFillMs' | 'lastFillMs'> {
  if (times.length === 0) return { firstFillMs: null, lastFillMs: null };
  return { firstFillMs: Math.min(...times), lastFillMs: Math.max(...times) };
}
