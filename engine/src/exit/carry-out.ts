/** What calls and sales bring exactly, by the formulas of contracts and venue, and what stays. */

import type { Price } from '@dutchbook/units/price.ts';
import { minShares, roundSharesDown, type Shares } from '@dutchbook/units/shares.ts';
import { takeLevels, totalSize } from '../book/walk.ts';
import { roundToGrid } from '../market/tick.ts';
import { bookedAsTaker } from '../order/fill.ts';
import { saleSizeStep } from '../sell/sale.ts';
import { type ConversionCall, type ConversionEffect, effectOf, mostOf } from './conversion.ts';
import { balancesOf, type EventHolding, payoutRange } from './event-holding.ts';

export type CarriedSale = { token: number; shares: Shares; limit: Price; proceeds: number; fee: number };

/** All in millionths of a dollar or of a share; `least` and `most` is what is left then pays in the worst and the best case. */
export type Carried = {
  calls: { call: ConversionCall; effect: ConversionEffect }[];
  sales: CarriedSale[];
  converted: number;
  sold: number;
  left: number[];
  least: number;
  most: number;
};

/** `sales`: at most so many of each token; null is all. Calls are cut to what is there when they are carried out. */
export function carryOut(
  holding: EventHolding,
  calls: readonly ConversionCall[],
  sales: readonly number[] | null,
): Carried {
  const left = balancesOf(holding);
  const done: Carried['calls'] = [];
  let converted = 0;
  for (const wanted of calls) {
    const call = { ...wanted, micro: Math.min(wanted.micro, mostOf(holding, wanted, left)) };
    if (call.micro <= 0) continue;
    const effect = effectOf(holding, call);
    done.push({ call, effect });
    converted += effect.dollars;
    for (const [token, change] of effect.changes) left[token] = (left[token] ?? 0) + change;
  }
  const carried = left.flatMap((micro, token): CarriedSale[] => {
    const sale = saleOf(holding, token, Math.min(micro, sales === null ? micro : (sales[token] ?? 0)));
    return sale === null ? [] : [sale];
  });
  for (const { token, shares } of carried) left[token] = (left[token] ?? 0) - shares;
  const sold = carried.reduce((sum, { proceeds, fee }) => sum + proceeds - fee, 0);
  return { calls: done, sales: carried, converted, sold, left, ...payoutRange(holding, left) };
}

/** One fill-and-kill order down the bids, in the steps in which the venue trades. */
function saleOf({ members }: EventHolding, token: number, micro: number): CarriedSale | null {
  const { market, tokens } = members[Math.floor(token / 2)] ?? {};
  const bids = tokens?.[token % 2 === 0 ? 0 : 1].bids ?? [];
  if (market === undefined || market.feeSchedule === null || market.closed || !market.acceptingOrders) return null;
  const reached = takeLevels(bids, minShares(roundSharesDown(micro as Shares, market.sizeStep), totalSize(bids)));
  const worst = reached.at(-1)?.price;
  if (worst === undefined) return null;
  const limit = roundToGrid(worst, market, 'down');
  const shares = roundSharesDown(totalSize(reached), saleSizeStep(market, limit));
  if (shares === 0) return null;
  const { cost, fee } = bookedAsTaker(takeLevels(bids, shares), 'sell', market.feeSchedule);
  return { token, shares, limit, proceeds: cost, fee };
}
