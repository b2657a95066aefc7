import { addShares, SHARES_ZERO, type Shares, sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import type { Blocker, GateContext, GateQuote } from './context.ts';
import { firstOf } from './wording.ts';

/** What is wanted of each position is at least what its market takes as its smallest order. */
export function venueMinimumGate({ plan, quotes }: GateContext): Blocker | null {
  return firstOf(
    quotes.flatMap((quote): Blocker[] => {
      const { leg, market } = quote;
      const wanted = wantedOf(plan, quote);
      if (market === undefined || wanted >= market.minOrderSize) return [];
      const needed = `the venue takes no less than ${sharesToText(market.minOrderSize)}`;
      return [
        {
          gate: 'venue-minimum',
          message: `leg ${leg}: ${sharesToText(wanted)} shares, ${needed}`,
          actual: sharesToNumber(wanted),
          required: sharesToNumber(market.minOrderSize),
        },
      ];
    }),
  );
}

/** The positions of a retry lack unequal sizes. */
function wantedOf(plan: GateContext['plan'], quote: GateQuote): Shares {
  const order = plan.orders.find(({ leg, tokenId }) => leg === quote.leg && tokenId === quote.tokenId);
  if (order === undefined) return plan.size;
  const short = plan.shortOf.find(({ leg, marketId, outcome }) => {
    return leg === order.leg && marketId === order.marketId && outcome === order.outcome;
  });
  return addShares(order.size, short?.missing ?? SHARES_ZERO);
}
