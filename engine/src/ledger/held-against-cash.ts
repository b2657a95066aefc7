/** What the venue took for trades, held against the fees that they were booked with. */

import { type Fraction, ratio } from '@dutchbook/units/fraction.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { MICRO, mulDiv } from '@dutchbook/units/micro.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';

/** A settled trade of ours, as it was booked. */
export type BookedFill = { tokenId: TokenId; size: Shares; price: Price; cost: Usd; fee: Usd };

/** Cash, and shares of each token, that the venue has beyond what was booked; below zero where it has less. */
export type UnbookedMoves = { cash: Usd; shares: ReadonlyMap<string, Shares> };

/**
 * `proven`: what was taken is what was booked. `fee`: all that is off can be a fee; `taken` in dollars with shares at their price, and
 * `rate` as of a fee on `price × (1 - price)`, null where all was bought at 0 or 1. `other`: something else has moved besides.
 */
export type HeldFees = { kind: 'proven' } | { kind: 'fee'; taken: Usd; rate: Fraction | null } | { kind: 'other' };

/** The venue does not document how it rounds; of each trade it may book so much otherwise. */
const ROUNDING = 100 as Usd;
/** Several times what any venue takes: more than a quarter of `price × (1 - price)`, and than a fiftieth of what was traded, is no fee. */
const MOST_OF_SPREAD = 4;
const MOST_OF_COST = 50;

export function feesHeldAgainstCash(fills: readonly BookedFill[], moves: UnbookedMoves): HeldFees {
  const sum = (of: (fill: BookedFill) => Usd) => fills.map(of).reduce(addUsd, USD_ZERO);
  const rounding = fills.length * ROUNDING;
  const isMissed = [...moves.shares.values()].some((shares) => shares !== 0);
  if (!isMissed && Math.abs(moves.cash) <= rounding) return { kind: 'proven' };
  const spread = sum(spreadOf);
  const cost = sum((fill) => fill.cost);
  const booked = sum(({ fee }) => fee);
  const worth = worthOf(moves.shares, fills);
  const taken = subtractUsd(subtractUsd(booked, moves.cash), worth);
  const most = Math.max(spread / MOST_OF_SPREAD, cost / MOST_OF_COST) + rounding;
  // Where neither cash nor shares have moved yet, what is missing and what is left over cancel out.
  const isSmall = Math.abs(worth) <= most && Math.abs(moves.cash) <= Math.max(most, booked + rounding);
  if (!isSmall || taken < -rounding || taken > most) return { kind: 'other' };
  return { kind: 'fee', taken, rate: spread === 0 ? null : ratio(Math.max(0, taken) as Usd, spread, 'up') };
}

/** `size × price × (1 − price)`, by which a total fee is divided between trades. */
function spreadOf({ size, price }: BookedFill): Usd {
  return mulDiv(notional(size, price, 'up'), MICRO - price, MICRO, 'up') as Usd;
}

/** Dollars of trades at their prices. */
function worthOf(shares: ReadonlyMap<string, Shares>, fills: readonly BookedFill[]): Usd {
  return [...shares]
    .map(([tokenId, moved]) => {
      const price = fills.find((fill) => fill.tokenId === tokenId)?.price ?? (0 as Price);
      return mulDiv(moved, price, MICRO, 'down') as Usd;
    })
    .reduce(addUsd, USD_ZERO);
}
