/** What the venue reported as traded: the only source of filled size, price and fee. */
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/** How far a trade is on its way to the books of the chain. Only `confirmed` and `failed` are the end of it. */
export type Settlement = 'matched' | 'retrying' | 'mined' | 'failed' | 'confirmed';

/** One trade's part in one attempt. An attempt has one order hash, so (trade, attempt) is the venue's (trade, order). */
export type Fill = {
  attemptId: string;
  tradeId: string;
  price: Price;
  size: Shares;
  fee: Usd;
  settlement: Settlement;
};

/**
 * What two reports of the same trade come to: the one whose settlement is further, and of two equally far the larger.
 * The order in which they arrive makes no difference.
 */
export function furtherReport(a: Fill, b: Fill): Fill {
  const difference =
    SETTLEMENT_RANK[a.settlement] - SETTLEMENT_RANK[b.settlement] ||
    a.size - b.size ||
    a.fee - b.fee ||
    a.price - b.price;
  return difference < 0 ? b : a;
}

/** One fill for each trade and attempt, from reports with repetitions in any order. */
export function collapseFills(reports: readonly Fill[]): Fill[] {
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

/** A confirmation is the chain's own word, so it outlasts a failure reported of an earlier transaction. */
const SETTLEMENT_RANK: Readonly<Record<Settlement, number>> = {
  matched: 0,
  retrying: 1,
  mined: 2,
  failed: 3,
  confirmed: 4,
};
