/** What selling a batch, or a part of it, would send, cost and bring: simulation and execution both take it from here. */
import type { Fraction } from '@dutchbook/units/fraction.ts';
import { PERCENT_ZERO, type Percent, percentOf } from '@dutchbook/units/percent.ts';
import { PRICE_ZERO, type Price, priceToText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, pricePerShare, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Level } from '../book/level.ts';
import { takeLevels } from '../book/walk.ts';
import type { Allowances } from '../risk/allowance.ts';
import type { OwnOrder } from '../risk/self-trade.ts';
import { type PlannedSale, planSaleOfOrder, type SellableOrder, settlingShares } from './sale.ts';

export type SellRequest = {
  orders: readonly SellableOrder[];
  /** What the venue says the account holds of each token, less what is in any sell order that has not ended. */
  freeByToken: ReadonlyMap<string, Shares>;
  /** What the venue's contracts may move of each token; a token is left out where the venue did not say. */
  allowancesByToken: ReadonlyMap<string, Allowances>;
  /** Our own orders of any batch that have not ended: no sale may trade with one. */
  ownOrders: readonly OwnOrder[];
  /** Sell a token at this price or better, and not down the bids. */
  customPrices: ReadonlyMap<string, Price>;
  /** The orders rest in the book at their custom prices instead of meeting the bids; each has one. */
  waits?: boolean;
  /** PRICE_DEVIATION_THRESHOLD: a limit further below the best bid than this is pointed out. */
  maxDeviation: Fraction;
};

/** A plan may be sent only when `errors` is empty. Values and proceeds are before fees, the profit is after all of them. */
export type SellPlan = {
  totalOrders: number;
  sellableOrders: number;
  orders: PlannedSale[];
  /** Shares that were bought and not credited yet: they can be sold in a moment, or their purchase fails. */
  settling: { orderId: string; shares: Shares }[];
  /** What the shares sold cost. */
  totalOriginalValue: Usd;
  estimatedProceeds: Usd;
  /** Fees of the sales. */
  estimatedFees: Usd;
  /** Paid when the shares sold were bought. */
  buyFees: Usd;
  estimatedProfit: Usd;
  /** Estimated profit as a part of the shares' cost with fees, rounded down; zero when nothing is sold. */
  estimatedProfitPct: Percent;
  /** Per share, rounded against us; zero when nothing is sold. */
  averageOriginalPrice: Price;
  averageSellPrice: Price;
  warnings: string[];
  errors: string[];
};

/** The error of a plan that sells nothing although nothing is wrong. */
export const NOTHING_TO_SELL = 'Nothing can be sold now';

/** Plans to sell what the orders hold; of orders that share a token each takes what the one before it left. */
export function planSale({
  orders,
  freeByToken,
  allowancesByToken,
  ownOrders,
  customPrices,
  waits = false,
  maxDeviation,
}: SellRequest): SellPlan {
  const sales: PlannedSale[] = [];
  const warnings: string[] = [];
  const errors = pricesOfNothing(orders, customPrices);
  for (const [place, order] of orders.entries()) {
    const { tokenId } = order;
    const gone = sales
      .filter((sale) => sale.tokenId === tokenId)
      .reduce((sum, sale) => sum + sale.sellSize, 0) as Shares;
    const free = freeByToken.get(tokenId);
    const { sale, stays, wrong } = planSaleOfOrder(order, {
      held: free === undefined ? null : (Math.max(0, free - gone) as Shares),
      bids: order.bids === null ? null : levelsAfter(order.bids, gone),
      // The last order of a token sells furthest down: it says so for all of them.
      bestBid: orders.slice(place + 1).some((later) => later.tokenId === tokenId)
        ? null
        : (order.bids?.[0]?.price ?? null),
      customPrice: customPrices.get(tokenId) ?? null,
      waits,
      allowances: allowancesByToken.get(tokenId) ?? null,
      ownOrders,
      maxDeviation,
    });
    if (sale !== null) sales.push(sale);
    warnings.push(...stays);
    errors.push(...wrong);
  }
  if (sales.length === 0 && errors.length === 0) errors.push(NOTHING_TO_SELL);
  return {
    totalOrders: orders.length,
    sellableOrders: sales.length,
    orders: sales,
    settling: orders
      .map((order) => ({ orderId: order.orderId, shares: settlingShares(order) }))
      .filter(({ shares }) => shares > 0),
    ...totalsOf(sales),
    warnings,
    errors,
  };
}

function totalsOf(sales: readonly PlannedSale[]) {
  const totalOriginalValue = sum(sales.map(({ originalValue }) => originalValue));
  const estimatedProceeds = sum(sales.map(({ proceeds }) => proceeds));
  const estimatedFees = sum(sales.map(({ fee }) => fee));
  const buyFees = sum(sales.map((sale) => sale.buyFees));
  const paid = addUsd(totalOriginalValue, buyFees);
  const estimatedProfit = subtractUsd(subtractUsd(estimatedProceeds, estimatedFees), paid);
  const size = sales.reduce((total, { sellSize }) => total + sellSize, SHARES_ZERO as number) as Shares;
  return {
    totalOriginalValue,
    estimatedProceeds,
    estimatedFees,
    buyFees,
    estimatedProfit,
    estimatedProfitPct: paid === 0 ? PERCENT_ZERO : percentOf(estimatedProfit, paid, 'down'),
    averageOriginalPrice: size === 0 ? PRICE_ZERO : pricePerShare(totalOriginalValue, size, 'up'),
    averageSellPrice: size === 0 ? PRICE_ZERO : pricePerShare(estimatedProceeds, size, 'down'),
  };
}

function pricesOfNothing(orders: readonly SellableOrder[], customPrices: ReadonlyMap<string, Price>): string[] {
  const tokens = new Set(orders.map(({ tokenId }) => tokenId));
  return [...customPrices]
    .filter(([tokenId]) => !tokens.has(tokenId))
    .map(
      ([tokenId, price]) =>
        `A price of ${priceToText(price)} is given for token ${tokenId}, of which there is no order`,
    );
}

/** The levels without their best `gone` shares. */
function levelsAfter(levels: readonly Level[], gone: Shares): Level[] {
  const taken = takeLevels(levels, gone);
  return levels
    .map(({ price, size }, index): Level => ({ price, size: (size - (taken[index]?.size ?? 0)) as Shares }))
    .filter(({ size }) => size > 0);
}

function sum(amounts: readonly Usd[]): Usd {
  return amounts.reduce(addUsd, USD_ZERO);
}
