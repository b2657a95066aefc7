/** What a batch still lacks, and whether buying it pays. */
import type { Fraction } from '@dutchbook/units/fraction.ts';
import { type Percent, percentOf } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { LEAST_SIZE, roundSharesDown, SHARES_ZERO, type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import { addUsd, notional, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { namePosition } from '../opportunity/position.ts';
import type { OpportunityValue, PositionQuote } from '../opportunity/value.ts';
import { type AttemptState, filledSize, isOrderFinal } from '../order/life.ts';
import { namesOf, type PlacementPlan, type PlannedOrder, planOrder, totalsOf } from '../order/plan.ts';
import type { GateContext } from '../risk/context.ts';
import { batchFigures, type FigureOrder } from './figures.ts';

/** An order of the batch with the quote of its position now. */
export type RemainderOrder<Quote extends PositionQuote> = Omit<FigureOrder, 'attempts'> & {
  attempts: readonly AttemptState[];
  quote: Quote;
};

/**
 * `plan` has an order for each position that lacks shares; those positions' quotes are `quotes`. Its profit is that of
 * the sets which the remainder completes: what they pay, less the remainder with its fees, less what the unhedged shares
 * cost that go into them. `plan.size` is the smallest missing size. `completes`: a part of the sets is held. `reason` is a sentence.
 */
export type Remainder<Quote extends PositionQuote> =
  | { kind: 'plan'; plan: PlacementPlan; quotes: Quote[]; completes: boolean }
  | { kind: 'refused'; reason: string };

/** The shares the order lacks, as far as its market takes orders for them. */
function missingSize<Quote extends PositionQuote>({ size, fills, quote }: RemainderOrder<Quote>): Shares {
  return roundSharesDown(Math.max(0, size - filledSize(fills)) as Shares, sizeStepOf(quote));
}

function sizeStepOf({ market }: PositionQuote): Shares {
  return market?.sizeStep ?? (LEAST_SIZE as Shares);
}

/**
 * Plans to buy what is missing at the current prices. While any attempt may still fill, nothing is planned: what it fills
 * would be bought twice. Nothing is planned either once shares are sold, gone or resolved: what is bought then completes fewer
 * sets than the fills say, or sets that pay less.
 */
export function planRemainder<Quote extends PositionQuote>(
  orders: readonly RemainderOrder<Quote>[],
  targetPrice: Price,
): Remainder<Quote> {
  const unsettled = orders.find((order) => order.attempts.length > 0 && !isOrderFinal(order));
  if (unsettled !== undefined) return refused(unsettled, 'an earlier order has not ended');
  const sold = orders.find(({ sales }) => filledSize(sales) > 0);
  if (sold !== undefined) return refused(sold, 'shares of it were sold');
  const gone = orders.find(({ goneSize = SHARES_ZERO }) => goneSize > 0);
  if (gone !== undefined) return refused(gone, 'shares of it have left the account');
  const over = orders.find(({ resolvedValue = null }) => resolvedValue !== null);
  if (over !== undefined) return refused(over, 'its market has resolved');
  const lacking = orders.filter((order) => missingSize(order) > 0);
  if (lacking.length === 0) return nothingToBuy(orders);
  const completes = orders.some(({ fills }) => filledSize(fills) > 0);
  const quotes = lacking.map(({ quote }) => quote);
  return { kind: 'plan', plan: planOf(orders, lacking, targetPrice), quotes, completes };
}

/**
 * What the gates look at when a remainder is to be bought: `value` is that of the missing positions alone, so its profit
 * is replaced by that of the sets they complete. `minProfit` is MIN_PROFIT_RETRY_THRESHOLD.
 */
export function remainderGateInputs(
  value: OpportunityValue,
  { plan, completes }: { plan: PlacementPlan; completes: boolean },
  minProfit: Fraction,
): Pick<GateContext, 'value' | 'plan' | 'completes' | 'profitFloorPct'> {
  const profitPct = plan.expectedProfitPct;
  const judged = value.kind === 'valued' && profitPct !== null ? { ...value, profitPct } : value;
  return { value: judged, plan, completes, profitFloorPct: (minProfit * 100) as number as Percent };
}

function planOf<Quote extends PositionQuote>(
  orders: readonly RemainderOrder<Quote>[],
  lacking: readonly RemainderOrder<Quote>[],
  targetPrice: Price,
): PlacementPlan {
  const planned = new Map(lacking.map((order) => [order, planMissing(order)]));
  const bought = [...planned.values()].filter((order) => order !== null);
  const setsWith = (added: (order: RemainderOrder<Quote>) => number) =>
    Math.min(...orders.map((order) => filledSize(order.fills) + added(order)));
  const sets = setsWith((order) => planned.get(order)?.size ?? 0) - setsWith(() => 0);
  const totals = totalsOf(bought, sets as Shares, targetPrice);
  const atRisk = batchFigures(orders, targetPrice).unhedged?.worstLoss ?? USD_ZERO;
  const expectedProfit = subtractUsd(totals.expectedProfit, atRisk);
  const spent = addUsd(addUsd(totals.totalCost, totals.totalFees), atRisk);
  return {
    ...totals,
    size: Math.min(...lacking.map(missingSize)) as Shares,
    orders: bought,
    expectedProfit,
    expectedProfitPct: bought.length === 0 ? null : percentOf(expectedProfit, spent, 'down'),
    worstCaseLoss: addUsd(totals.worstCaseLoss, atRisk),
    shortOf: lacking.flatMap((order) => {
      const missing = (missingSize(order) - (planned.get(order)?.size ?? SHARES_ZERO)) as Shares;
      return missing > 0 ? [{ ...namesOf(order.quote), missing }] : [];
    }),
  };
}

/** A missing size below the market's minimum becomes an immediate order, sized by what the shares cost now, in whole steps. */
function planMissing<Quote extends PositionQuote>(order: RemainderOrder<Quote>): PlannedOrder | null {
  const { market } = order.quote;
  const planned = planOrder(order.quote, missingSize(order));
  if (planned === null || market === undefined || planned.size >= market.minOrderSize) return planned;
  const spends = (Math.ceil(planned.cost / market.immediateBuyStep) * market.immediateBuyStep) as Usd;
  const fee = Math.max(planned.fee, planned.reserve - notional(planned.size, planned.limitPrice, 'up')) as Usd;
  return { ...planned, cost: spends, spends, reserve: addUsd(spends, fee) };
}

function nothingToBuy<Quote extends PositionQuote>(orders: readonly RemainderOrder<Quote>[]): Remainder<Quote> {
  const rounded = orders.find(({ size, fills }) => filledSize(fills) < size);
  if (rounded === undefined) return { kind: 'refused', reason: 'Nothing is missing' };
  const missing = sharesToText((rounded.size - filledSize(rounded.fills)) as Shares);
  const step = sharesToText(sizeStepOf(rounded.quote));
  return refused(rounded, `${missing} shares are missing, less than the ${step} that its market is traded in`);
}

function refused<Quote extends PositionQuote>({ quote }: RemainderOrder<Quote>, why: string): Remainder<Quote> {
  return { kind: 'refused', reason: `${namePosition(quote, quote.market)}: ${why}` };
}
