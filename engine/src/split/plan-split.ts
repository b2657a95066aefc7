/** What splitting dollars and selling all of what that hands out would send, cost and bring. */
import { mulDiv } from '@dutchbook/units/micro.ts';
import { percentOf } from '@dutchbook/units/percent.ts';
import { complement, PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import { roundSharesDown, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { notional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { PositionQuote } from '../opportunity/value.ts';
import {
  defaultOrderSize,
  type OrderMinimums,
  type PlacementPlan,
  type PlannedOrder,
  planPlacement,
} from '../order/plan.ts';
import { saleSizeStep } from '../sell/sale.ts';
import type { SplitWay } from './way-in.ts';

/**
 * A plan to buy with these differences. The orders sell: `cost` is what one brings before its fee, `reserve` what of
 * the dollars its shares are taken to cost. `dollars` go into the split, `proceeds` come back before fees. `worstCaseLoss`: of
 * the shares those sell that bring least, and no others, and just those win. Where none sells, all are merged into the dollars.
 */
export type SplitPlan = PlacementPlan & { dollars: Usd; proceeds: Usd };

/** The smallest whole number of shares of which all sales satisfy the minimums; what is sold at once may be less than what rests. */
export function defaultSplitSize(quotes: readonly PositionQuote[], minimums: OrderMinimums): Shares {
  const mirrored = quotes.map(({ book, market, ...quote }): PositionQuote => {
    const bids = book?.asks.map(({ price, size }) => ({ price: complement(price), size })) ?? [];
    return {
      ...quote,
      market: market && { ...market, minOrderSize: SHARES_ZERO },
      book: book === undefined ? undefined : { ...book, asks: bids },
    };
  });
  return defaultOrderSize(mirrored, minimums);
}

/** A hundred of the steps of a market can be sold at any price. */
const STEPS_AT_ANY_PRICE = 100;

/** Plans to split into `size` shares of each, or fewer where not all of them could be sold at their limits. */
export function planSplit(
  way: SplitWay,
  quotes: readonly PositionQuote[],
  size: Shares,
  targetPrice: Price,
): SplitPlan {
  const asked = planPlacement(quotes, size, targetPrice);
  const coarsest = Math.max(...quotes.map(({ market }) => STEPS_AT_ANY_PRICE * (market?.sizeStep ?? 1)));
  const bought = isSellable(asked, quotes)
    ? asked
    : planPlacement(quotes, roundSharesDown(size, coarsest), targetPrice);
  return mirrored(bought, way);
}

function isSellable({ size, orders }: PlacementPlan, quotes: readonly PositionQuote[]): boolean {
  return orders.every(({ marketId, limitPrice }) => {
    const market = quotes.find((quote) => quote.marketId === marketId)?.market;
    return market !== undefined && size % saleSizeStep(market, complement(limitPrice)) === 0;
  });
}

/** The asks of a position are the bids of the other outcome, each at the rest of its dollar, with the same fee. */
function mirrored(bought: PlacementPlan, { sold }: SplitWay): SplitPlan {
  const dollars = notional(bought.size, PRICE_ONE, 'up');
  const sales = bought.orders.flatMap((order): PlannedOrder[] => {
    const other = sold.find(({ insteadOf }) => insteadOf === order.tokenId);
    if (other === undefined) return [];
    const { size, fee } = order;
    const { insteadOf: _, ...names } = other;
    const prices = { limitPrice: complement(order.limitPrice), averagePrice: complement(order.averagePrice) };
    const cost = (notional(size, PRICE_ONE, 'down') - order.cost) as Usd;
    return [{ ...names, side: 'sell', size, ...prices, cost, fee, spends: null, reserve: USD_ZERO }];
  });
  const orders = withReserves(sales, dollars);
  const proceeds = sum(orders.map(({ cost }) => cost));
  const totalFees = sum(orders.map(({ fee }) => fee));
  const expectedProfit = (proceeds - totalFees - dollars) as Usd;
  const least = Math.min(...orders.map(({ cost, fee }) => cost - fee), dollars);
  return {
    ...{ size: bought.size, orders, shortOf: bought.shortOf, dollars, proceeds, totalFees, expectedProfit },
    totalCost: dollars,
    totalReserve: dollars,
    expectedProfitPct: dollars === 0 ? null : percentOf(expectedProfit, dollars, 'down'),
    worstCaseLoss: (dollars - least) as Usd,
  };
}

/** Rounds so that a hundredth of a share costs whole micro-dollars. */
const COST_STEP = 100;

/** The dollars in proportion to what each brings, by the share; what rounding leaves goes to the last. */
function withReserves(sales: readonly PlannedOrder[], dollars: Usd): PlannedOrder[] {
  const total = sum(sales.map(({ cost }) => cost));
  let rest: number = dollars;
  return sales.map((sale, place) => {
    const perShare = total === 0 ? 0 : mulDiv(PRICE_ONE / COST_STEP, sale.cost, total, 'down') * COST_STEP;
    const isLast = place === sales.length - 1;
    const reserve = (isLast ? rest : notional(sale.size, perShare as Price, 'down')) as Usd;
    rest -= reserve;
    return { ...sale, reserve };
  });
}

function sum(amounts: readonly Usd[]): Usd {
  return amounts.reduce((total, amount) => total + amount, 0) as Usd;
}
