import { addShares, SHARES_ZERO, type Shares, sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import { notional, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import type { Market } from '../market/market.ts';
import type { PlannedOrder } from '../order/plan.ts';
import type { Blocker, GateContext, GateQuote } from './context.ts';
import { firstOf, tellApart } from './wording.ts';

/**
 * The venue takes the orders. A placement rests where it is not filled at once, so that of each position its market's smallest resting
 * order is wanted. What completes sets, and the sales of a split, are filled at once or dropped. Whatever buys is worth the venue's least.
 */
export function venueMinimumGate(context: GateContext): Blocker | null {
  return firstOf(
    context.quotes.flatMap((quote) => tooFewShares(context, quote) ?? tooFewDollars(context, quote) ?? []),
  );
}

function tooFewShares({ plan, completes }: GateContext, quote: GateQuote): Blocker | null {
  const { leg, market } = quote;
  const wanted = wantedOf(plan, quote);
  const mayRest = !completes && plan.orders.every(({ side }) => side === 'buy');
  if (market === undefined || !mayRest || wanted >= market.minOrderSize) return null;
  const needed = `the venue takes no less than ${sharesToText(market.minOrderSize)}`;
  return {
    gate: 'venue-minimum',
    message: `leg ${leg}: ${sharesToText(wanted)} shares, ${needed}`,
    actual: sharesToNumber(wanted),
    required: sharesToNumber(market.minOrderSize),
  };
}

function tooFewDollars({ plan, completes, settings }: GateContext, quote: GateQuote): Blocker | null {
  const { market } = quote;
  const order = orderOf(plan, quote);
  if (market === undefined || order === undefined || order.side === 'sell') return null;
  const worth = worthAtVenue(order);
  if (worth >= market.minImmediateBuy || isShort(plan, order)) return null;
  // The gate of the minimum order value refuses it already.
  if (!completes && order.cost < settings.minOrderValue) return null;
  return belowLeast(order, worth, market);
}

function belowLeast({ leg, size }: PlannedOrder, worth: Usd, { minImmediateBuy }: Market): Blocker {
  const [actual, required] = tellApart(worth, minImmediateBuy);
  return {
    gate: 'venue-minimum',
    message: `leg ${leg}: ${sharesToText(size)} shares are worth $${actual}, the venue takes no less than $${required} at once`,
    actual: usdToNumber(worth),
    required: usdToNumber(minImmediateBuy),
  };
}

/** The dollars that the venue sees in the order. */
function worthAtVenue({ size, limitPrice, spends }: PlannedOrder): Usd {
  return spends ?? notional(size, limitPrice, 'down');
}

function orderOf(plan: GateContext['plan'], quote: GateQuote): PlannedOrder | undefined {
  return plan.orders.find(({ leg, tokenId }) => leg === quote.leg && tokenId === quote.tokenId);
}

function shortageOf(plan: GateContext['plan'], order: PlannedOrder) {
  return plan.shortOf.find(({ leg, marketId, outcome }) => {
    return leg === order.leg && marketId === order.marketId && outcome === order.outcome;
  });
}

/** The depth gate refuses it. */
function isShort(plan: GateContext['plan'], order: PlannedOrder): boolean {
  return shortageOf(plan, order) !== undefined;
}

/** The positions of a retry lack unequal sizes. */
function wantedOf(plan: GateContext['plan'], quote: GateQuote): Shares {
  const order = orderOf(plan, quote);
  if (order === undefined) return plan.size;
  return addShares(order.size, shortageOf(plan, order)?.missing ?? SHARES_ZERO);
}
