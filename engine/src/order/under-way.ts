/** What an order may still take or sell, and what a part of a holding cost. `server/src/trading/under-way/rules.ts` says it in SQL. */
import type { Fraction } from '@dutchbook/units/fraction.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, type Usd } from '@dutchbook/units/usd.ts';
import { takerFee } from '../opportunity/fee.ts';
import { collapseFills, type Fill } from './fill.ts';
import { type AttemptState, hasAttemptEnded } from './life.ts';

export type Taking = { size: Shares; price: Price; feeRate: Fraction; feeStep: Usd };

/** The cost of an order that fills whole at its limit price, fee included. */
export function mayTake({ size, price, feeRate, feeStep }: Taking): Usd {
  return addUsd(notional(size, price, 'up'), takerFee(size, price, { rate: feeRate, step: feeStep }));
}

type SizedAttempt = AttemptState & { size: Shares };

/**
 * The shares that an attempt may still buy or sell: until it has ended its size, then what the venue matched of it, less the trades
 * that were reported. A trade that failed to settle was reported: what it matched does not rest any more.
 */
export function unreportedOf(attempt: SizedAttempt, fills: readonly Fill[]): Shares {
  const { id, status, matchedSize, size } = attempt;
  if (status === 'rejected' || status === 'failed') return SHARES_ZERO;
  const most = hasAttemptEnded(status) ? (matchedSize ?? SHARES_ZERO) : size;
  const reported = collapseFills(fills)
    .filter(({ attemptId }) => attemptId === id)
    .reduce((sum, fill) => addShares(sum, fill.size), SHARES_ZERO);
  return Math.max(0, most - reported) as Shares;
}

/** The cost of `part` of shares that cost `cost` as a whole, rounded up, so that rounding never shows a profit. */
export function costOfPart(cost: Usd, part: Shares, whole: Shares): Usd {
  return mulDiv(cost, part, whole, 'up') as Usd;
}
