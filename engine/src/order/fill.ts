/** What the venue reported as traded: the only source of filled size, price, cost and fee. */

import type { Price } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, averagePrice, notional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Side } from '../book/level.ts';
import type { FeeSchedule } from '../market/market.ts';
import { takerFee } from '../opportunity/fee.ts';

/** How far a trade is on its way to the books of the chain. Only `confirmed` and `failed` are the end of it. */
export type Settlement = 'matched' | 'retrying' | 'mined' | 'failed' | 'confirmed';

/** One trade's part in one attempt. An attempt has one order hash, so (trade, attempt) is the venue's (trade, order). */
export type Fill = {
  attemptId: string;
  tradeId: string;
  /** The average over all that was met in the trade; `cost` is exact. */
  price: Price;
  size: Shares;
  /** What the venue took for the shares, or paid for them, before the fee. */
  cost: Usd;
  fee: Usd;
  settlement: Settlement;
};

/**
 * Which of two reports of one trade counts: the one whose settlement is further, and of two equally far the larger.
 * The order in which they arrive makes no difference.
 */
export function furtherReport(a: Fill, b: Fill): Fill {
  const difference =
    SETTLEMENT_RANK[a.settlement] - SETTLEMENT_RANK[b.settlement] ||
    a.size - b.size ||
    a.cost - b.cost ||
    a.fee - b.fee ||
    a.price - b.price;
  return difference < 0 ? b : a;
}

/** One fill for each trade and attempt, from reports with repetitions in any order. */
export function collapseFills(reports: readonly Fill[]): Fill[] {
  if (reports.length < 2) return [...reports];
  const fills = new Map<string, Fill>();
  for (const report of reports) {
    const key = JSON.stringify([report.tradeId, report.attemptId]);
    const known = fills.get(key);
    fills.set(key, known === undefined ? report : furtherReport(known, report));
  }
  return [...fills.values()];
}

/** The fills that stand: one per trade and attempt, without those whose settlement failed. */
export function standingFills(reports: readonly Fill[]): Fill[] {
  return collapseFills(reports).filter(({ settlement }) => settlement !== 'failed');
}

/** What fills cost, or brought, before fees. */
export function dollarsOf(fills: readonly Pick<Fill, 'cost'>[]): Usd {
  return fills.reduce((sum, { cost }) => addUsd(sum, cost), USD_ZERO);
}

/** One match of a taker's order with a standing order, at the price of the taker's token. */
export type Match = { price: Price; size: Shares };

/**
 * What the venue books of a taker's order that met several standing orders. Each match is in whole micro-dollars, rounded
 * against the taker, and has a fee of its own, of which a sale pays no more than it brings. The average price is rounded against the taker as well. There is at least one.
 */
export function bookedAsTaker(
  matches: readonly Match[],
  side: Side,
  schedule: FeeSchedule,
): Pick<Fill, 'price' | 'size' | 'cost' | 'fee'> {
  const rounding = side === 'buy' ? 'up' : 'down';
  const costs = matches.map(({ size, price }) => notional(size, price, rounding));
  const fees = matches.map((match, nth) => {
    const fee = takerFee(match.size, match.price, schedule);
    return side === 'sell' ? (Math.min(fee, costs[nth] ?? fee) as Usd) : fee;
  });
  return {
    price: averagePrice(matches, rounding),
    size: matches.reduce((sum, { size }) => addShares(sum, size), SHARES_ZERO),
    cost: costs.reduce(addUsd, USD_ZERO),
    fee: fees.reduce(addUsd, USD_ZERO),
  };
}

/** What a standing order pays, or is paid, before the fee of makers: the fraction of a micro-dollar that its taker loses is its gain. */
export function bookedAsMaker({ size, price }: Match, side: Side, schedule: FeeSchedule): Pick<Fill, 'cost' | 'fee'> {
  const cost = notional(size, price, side === 'buy' ? 'down' : 'up');
  const fee = takerFee(size, price, schedule);
  return { cost, fee: side === 'sell' ? (Math.min(fee, cost) as Usd) : fee };
}

/** A confirmation is the chain's own word, so it outlasts a failure reported of an earlier transaction. */
const SETTLEMENT_RANK: Readonly<Record<Settlement, number>> = {
  matched: 0,
  retrying: 1,
  mined: 2,
  failed: 3,
  confirmed: 4,
};
