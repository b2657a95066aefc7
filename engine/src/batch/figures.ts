/** What a batch cost, brought and still has at risk, from its fills alone. */

import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { addPrices, PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { LEAST_SIZE, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { notional, type Usd } from '@dutchbook/units/usd.ts';
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

/** Shares that contracts handed out for those of the batch's orders. */
export type ReceivedShares = Pick<
  FigureOrder,
  'marketId' | 'outcome' | 'fills' | 'sales' | 'goneSize' | 'resolvedValue'
>;

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
 * show beyond its sales is dust, or shares that the venue took for its fee. `received` shares are of no set: those of the opposite outcome
 * pay a dollar together with a share of an order that no set needs, and wait with it for the call that merges both. The others count by what
 * they are sold for, and by what they pay once their market has resolved.
 */
export function batchFigures(
  orders: readonly FigureOrder[],
  targetPrice: Price,
  soldOut = false,
  received: readonly ReceivedShares[] = [],
): BatchFigures {
  const holdings = orders.map((order) => ({ order, ...holdingOf(order) }));
  const handedOut = received.map((order) => ({ order, ...holdingOf(order) }));
  const money: readonly Holding[] = [...holdings, ...handedOut];
  const wholeSets = soldOut ? SHARES_ZERO : setsStillWhole(holdings);
  const filledCost = sum(money.map(({ cost }) => cost));
  const fees = sum(money.map(({ buyFees, saleFees }) => buyFees + saleFees));
  const saleProceeds = sum(money.map(({ proceeds }) => proceeds));
  const setPays = Math.max(targetPrice, paidAlready(holdings)) as Price;
  const paired = pairsBeyond(wholeSets, holdings, handedOut);
  const beyondSets = [...holdings.map((each) => ({ ...each, held: (each.held - wholeSets) as Shares })), ...handedOut];
  const payout = [
    notional(wholeSets, setPays, 'down'),
    notional(sum([...paired.values()]) as number as Shares, PRICE_ONE, 'down'),
    paidBySingle(beyondSets),
  ];
  return {
    filledCost,
    fees,
    saleProceeds,
    actualProfit: ((soldOut ? 0 : sum(payout)) + saleProceeds - filledCost - fees) as Usd,
    totalOrders: orders.filter(({ attempts }) => attempts.some(({ status }) => wasAccepted(status))).length,
    filledFraction: filledFraction(orders),
    unhedged: soldOut ? null : unhedgedBeyond(wholeSets, holdings, paired),
  };
}

type ReceivedHolding = Holding & { order: ReceivedShares };
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

/** Shares of each order, beyond whole sets, of which as many of the opposite outcome were handed out while their market is open. */
function pairsBeyond(
  wholeSets: Shares,
  holdings: readonly OrderHolding[],
  received: readonly ReceivedHolding[],
): Map<OrderHolding, Shares> {
  const left = new Map(received.map((each) => [each, isOpen(each) ? each.held : SHARES_ZERO]));
  const paired = new Map<OrderHolding, Shares>();
  for (const holding of holdings.filter(isOpen))
    for (const [other, available] of left) {
      if (other.order.marketId !== holding.order.marketId || other.order.outcome === holding.order.outcome) continue;
      const before = paired.get(holding) ?? SHARES_ZERO;
      const more = Math.min(available, holding.held - wholeSets - before);
      paired.set(holding, (before + more) as Shares);
      left.set(other, (available - more) as Shares);
    }
  return paired;
}

function isOpen({ order }: ReceivedHolding): boolean {
  return (order.resolvedValue ?? null) === null;
}

function unhedgedBeyond(
  wholeSets: Shares,
  holdings: readonly OrderHolding[],
  paired: ReadonlyMap<OrderHolding, Shares>,
): Unhedged | null {
  const positions = holdings
    .map((holding) => ({ ...holding, shares: (holding.held - wholeSets - (paired.get(holding) ?? 0)) as Shares }))
    .filter((holding) => holding.shares >= LEAST_SIZE && isOpen(holding))
    .map(({ order: { leg, marketId, outcome, tokenId }, shares, bought, cost, buyFees }) => {
      const atRisk = mulDiv(cost + buyFees, shares, bought, 'up') as Usd;
      return { leg, marketId, outcome, tokenId, shares, atRisk };
    });
  return positions.length === 0 ? null : { positions, worstLoss: sum(positions.map(({ atRisk }) => atRisk)) };
}

/** What shares of resolved markets that are in no whole set pay. */
function paidBySingle(holdings: readonly ReceivedHolding[]): Usd {
  return sum(holdings.map(({ held, order }) => notional(held, order.resolvedValue ?? PRICE_ZERO, 'down')));
}

function sum(amounts: readonly number[]): Usd {
  return amounts.reduce((total, amount) => total + amount, 0) as Usd;
}
