/** What a batch cost, brought and still has at risk, from its fills alone. */

import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { addPrices, PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { LEAST_SIZE, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Fill } from '../order/fill.ts';
import { type AttemptState, wasAccepted } from '../order/life.ts';
import { type Holding, holdingOf } from './holding.ts';
import { filledFraction } from './life.ts';

/** A batch order with everything reported of it. `fills` are of its buys, `sales` of the orders that sold its shares. */
export type FigureOrder = {
  leg: number;
  marketId: MarketId;
  outcome: string;
  tokenId: TokenId;
  size: Shares;
  attempts: readonly Pick<AttemptState, 'status'>[];
  fills: readonly Fill[];
  sales: readonly Fill[];
  /** Shares that have left the account by no order of ours. */
  goneSize?: Shares;
  /** What a share pays once its market has resolved, in a whole set or alone. */
  resolvedValue?: Price | null;
};

/** Shares of one position that no whole set needs, as many as an order could be for, and what they cost with their fees, rounded up. */
export type UnhedgedPosition = {
  leg: number;
  marketId: MarketId;
  outcome: string;
  tokenId: TokenId;
  shares: Shares;
  atRisk: Usd;
};

/** `worstLoss`: the missing positions never fill and none of the unhedged ones pays. */
export type Unhedged = { positions: UnhedgedPosition[]; worstLoss: Usd };

export type BatchFigures = {
  /** Cost of the standing fills, before fees. */
  filledCost: Usd;
  /** Fees of buys and sales. */
  fees: Usd;
  /** Before fees. */
  saleProceeds: Usd;
  /** What the whole sets still held will pay, plus sale proceeds, minus cost, minus fees. */
  actualProfit: Usd;
  /** Positions with an attempt the venue accepted. */
  totalOrders: number;
  filledFraction: Fraction;
  /** Null when every position holds the same number of shares, but for what no order could be for. */
  unhedged: Unhedged | null;
};

/**
 * `targetPrice` is what one set pays when it settles; what has resolved counts by what it pays. Of a batch that is sold out nothing is left to pay: what its fills
 * show beyond its sales is dust, or shares that the venue took for its fee. `received` are shares that contracts handed out for
 * those of `orders`: they are of no set, and what they are sold for counts.
 */
export function batchFigures(
  orders: readonly FigureOrder[],
  targetPrice: Price,
  soldOut = false,
  received: readonly Pick<FigureOrder, 'fills' | 'sales'>[] = [],
): BatchFigures {
  const holdings = orders.map((order): OrderHolding => ({ order, ...holdingOf(order) }));
  const money: readonly Holding[] = [...holdings, ...received.map(holdingOf)];
  const wholeSets = soldOut ? SHARES_ZERO : setsStillWhole(holdings);
  const filledCost = sum(money.map(({ cost }) => cost));
  const fees = sum(money.map(({ buyFees, saleFees }) => buyFees + saleFees));
  const saleProceeds = sum(money.map(({ proceeds }) => proceeds));
  const setPays = Math.max(targetPrice, paidAlready(holdings)) as Price;
  const payout = soldOut ? USD_ZERO : addUsd(notional(wholeSets, setPays, 'down'), paidBeyond(wholeSets, holdings));
  return {
    filledCost,
    fees,
    saleProceeds,
    actualProfit: (payout + saleProceeds - filledCost - fees) as Usd,
    totalOrders: orders.filter(({ attempts }) => attempts.some(({ status }) => wasAccepted(status))).length,
    filledFraction: filledFraction(orders),
    unhedged: soldOut ? null : unhedgedBeyond(wholeSets, holdings),
  };
}

type OrderHolding = Holding & { order: FigureOrder };

/**
 * Sets that pay what was promised of them, or more. A market that was voided breaks that promise, and where all have resolved it is
 * known what each share pays: then none is a set any more.
 */
function setsStillWhole(holdings: readonly OrderHolding[]): Shares {
  const values = holdings.map(({ order }) => order.resolvedValue ?? null);
  const isVoided = values.some((value) => value !== null && value !== PRICE_ZERO && value !== PRICE_ONE);
  if (isVoided || values.every((value) => value !== null)) return SHARES_ZERO;
  return Math.min(...holdings.map(({ held }) => held)) as Shares;
}

/** The part of a set's payout that its resolved markets already pay. */
function paidAlready(holdings: readonly OrderHolding[]): Price {
  return holdings.reduce((paid, { order }) => addPrices(paid, order.resolvedValue ?? PRICE_ZERO), PRICE_ZERO);
}

function unhedgedBeyond(wholeSets: Shares, holdings: readonly OrderHolding[]): Unhedged | null {
  const positions = holdings
    .filter(({ held, order }) => held - wholeSets >= LEAST_SIZE && (order.resolvedValue ?? null) === null)
    .map(({ order: { leg, marketId, outcome, tokenId }, held, bought, cost, buyFees }) => {
      const shares = (held - wholeSets) as Shares;
      const atRisk = mulDiv(cost + buyFees, shares, bought, 'up') as Usd;
      return { leg, marketId, outcome, tokenId, shares, atRisk };
    });
  return positions.length === 0 ? null : { positions, worstLoss: sum(positions.map(({ atRisk }) => atRisk)) };
}

/** What shares of resolved markets that are in no whole set pay. */
function paidBeyond(wholeSets: Shares, holdings: readonly OrderHolding[]): Usd {
  return holdings.reduce(
    (paid, { held, order }) =>
      addUsd(paid, notional((held - wholeSets) as Shares, order.resolvedValue ?? PRICE_ZERO, 'down')),
    USD_ZERO,
  );
}

function sum(amounts: readonly number[]): Usd {
  return amounts.reduce((total, amount) => total + amount, 0) as Usd;
}
