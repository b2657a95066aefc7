/** What selling the shares of one order would send and bring now. */

import { FRACTION_ONE, type Fraction } from '@dutchbook/units/fraction.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { MICRO, mulDiv } from '@dutchbook/units/micro.ts';
import { complement, PRICE_ZERO, type Price, priceToText } from '@dutchbook/units/price.ts';
import { minShares, roundSharesDown, type Shares, sharesToText, subtractShares } from '@dutchbook/units/shares.ts';
import { notional, type Usd } from '@dutchbook/units/usd.ts';
import type { Holding } from '../batch/holding.ts';
import type { Level } from '../book/level.ts';
import { takeLevels, totalSize, walkBook } from '../book/walk.ts';
import type { FeeSchedule, Market } from '../market/market.ts';
import { roundToGrid, tickAt } from '../market/tick.ts';
import { namePosition } from '../opportunity/position.ts';
import { bookedAsMaker, bookedAsTaker } from '../order/fill.ts';
import { type Allowances, sharesNotApproved } from '../risk/allowance.ts';
import { nameOwnOrder, type OwnOrder, ownOrderCrossed } from '../risk/self-trade.ts';

/** A batch order whose shares may be sold. */
export type SellableOrder = {
  orderId: string;
  leg: number;
  marketId: MarketId;
  outcome: string;
  tokenId: TokenId;
  market: Market | undefined;
  /** Best first; null where the book is not known or not to be trusted. */
  bids: readonly Level[] | null;
  holding: Holding;
  /** Shares of it in sell orders that have not ended. */
  inSale: Shares;
  /** Sell this many and no more; null is all. */
  wanted: Shares | null;
};

/**
 * One order: for `sellSize` shares, at no less than `limitPrice`; fill-and-kill, or one that waits in the book. What the current bids
 * pay for it, or of one that waits its own price, is before fees and rounded down, what its shares cost is rounded up.
 */
export type PlannedSale = {
  orderId: string;
  leg: number;
  marketId: MarketId;
  marketName: string;
  tokenId: TokenId;
  outcome: string;
  sellSize: Shares;
  limitPrice: Price;
  averagePrice: Price;
  proceeds: Usd;
  fee: Usd;
  /** What the shares sold cost, before fees, and the fees paid on that. */
  originalValue: Usd;
  buyFees: Usd;
};

/** `stays`: why shares that are held stay unsold, or what to know of those that do not. `wrong`: why nothing may be sent. */
export type SaleOutcome = { sale: PlannedSale | null; stays: string[]; wrong: string[] };

/** The shares that are free to sell now, over all orders; `held` is null where the venue has not said. */
export type SaleTerms = {
  held: Shares | null;
  bids: readonly Level[] | null;
  /** Best bid of the whole book, for the warning of a price far below; null where another order has that warning. */
  bestBid: Price | null;
  allowances: Allowances | null;
  ownOrders: readonly OwnOrder[];
  customPrice: Price | null;
  /** The sale rests in the book at the custom price instead of meeting the bids. */
  waits: boolean;
  maxDeviation: Fraction;
};

/** Plans the sale of one order's shares, or says why there is none. An order that holds nothing has nothing to say. */
export function planSaleOfOrder(order: SellableOrder, terms: SaleTerms): SaleOutcome {
  const owned = ownedOf(order);
  const name = namePosition(order, order.market);
  if (owned === 0) return order.wanted === null ? NOTHING : wrong(`${name}: none of its shares are there to sell`);
  // Neither books nor fees are known of such a market, and the rest can be sold without it.
  if (order.market && !takesOrders(order.market)) {
    return { ...unsold(`${name}: the market takes no orders`), wrong: [] };
  }
  const settled = settledOf(order, owned);
  if (settled === 0) return { sale: null, stays: [], wrong: [`${name}: ${stillSettling(owned)}`] };
  const inputs = saleMarketOf(order, terms);
  if (typeof inputs === 'string') return wrong(`${name}: ${inputs}`);
  const available = minShares(settled, inputs.held);
  const asked = order.wanted ?? available;
  if (asked > available) return wrong(`${name}: ${tooMany(asked, available, subtractShares(owned, settled))}`);
  const lowest = lowestPrice(inputs.market, terms.customPrice);
  if (typeof lowest === 'string') return wrong(`${name}: ${lowest}`);

  const bounds = { settled, available, asked, lowest, terms };
  const refusal = terms.waits ? waitingRefusal(inputs, bounds) : null;
  if (refusal !== null) return wrong(`${name}: ${refusal}`);
  const { sale, stays } = (terms.waits ? saleInTheBook : saleDownTheBids)(order, inputs, bounds);
  const unapproved = sale === null ? null : sharesNotApproved(inputs.market, sale.sellSize, terms.allowances);
  if (unapproved !== null) return wrong(`${name}: ${unapproved}`);
  const own =
    sale === null ? null : ownOrderCrossed({ ...sale, side: 'sell', price: sale.limitPrice }, terms.ownOrders);
  if (own !== null) return wrong(`${name}: it would trade with ${nameOwnOrder(own)}: cancel that batch first`);
  const missing = [
    ...(settled < owned ? [partSettling(subtractShares(owned, settled), owned)] : []),
    ...(available < settled ? [heldLess(available, settled)] : []),
  ];
  return { sale, stays: [...missing, ...stays].map((sentence) => `${name}: ${sentence}`), wrong: [] };
}

const NOTHING: SaleOutcome = { sale: null, stays: [], wrong: [] };

function takesOrders({ closed, acceptingOrders }: Market): boolean {
  return !closed && acceptingOrders;
}

type SaleMarket = { market: Market; schedule: FeeSchedule; bids: readonly Level[]; held: Shares };

/** Everything a sale is decided on, or what of it is not known. */
function saleMarketOf({ market }: SellableOrder, { held, bids }: SaleTerms): SaleMarket | string {
  if (market === undefined) return 'the venue does not know this market';
  if (market.feeSchedule === null) return 'the venue does not say what fee it takes';
  if (held === null) return 'the venue has not said how many shares are held';
  if (bids === null) return 'there is no order book to be trusted';
  return { market, schedule: market.feeSchedule, bids, held };
}

/** The price to sell at and not below, on the market's grid; or why the custom price is none. */
function lowestPrice(market: Market, customPrice: Price | null): Price | string {
  const smallest = tickAt(market, PRICE_ZERO) as number as Price;
  if (customPrice === null) return smallest;
  const price = roundToGrid(customPrice, market, 'up');
  const largest = roundToGrid(complement(smallest), market, 'down');
  if (customPrice > 0 && price <= largest) return price;
  return `${priceToText(customPrice)} is no price, the market takes ${priceToText(smallest)} to ${priceToText(largest)}`;
}

/** `settled`: what the batch itself holds and was credited; `available`: what of it the account holds. */
type SaleBounds = { settled: Shares; available: Shares; asked: Shares; lowest: Price; terms: SaleTerms };

function saleDownTheBids(order: SellableOrder, inputs: SaleMarket, bounds: SaleBounds) {
  const { market, bids, schedule } = inputs;
  const { customPrice } = bounds.terms;
  const wanted = roundSharesDown(bounds.asked, market.sizeStep);
  const within = bids.filter(({ price }) => price >= bounds.lowest);
  const reached = takeLevels(within, minShares(wanted, totalSize(within)));
  const worst = reached.at(-1)?.price;
  if (worst === undefined) return unsold(noBuyer(wanted, bids, bounds));
  const limitPrice = customPrice === null ? roundToGrid(worst, market, 'down') : bounds.lowest;
  const sellSize = roundSharesDown(totalSize(reached), saleSizeStep(market, limitPrice));
  const taken = takeLevels(within, sellSize);
  const { cost: proceeds, worstPrice, averagePrice } = walkBook(taken, sellSize, 'sell');
  if (worstPrice === null || averagePrice === null) return unsold(noBuyer(wanted, bids, bounds));
  const { orderId, leg, marketId, tokenId, outcome } = order;
  const names = { orderId, leg, marketId, marketName: market.question, tokenId, outcome };
  const prices = { sellSize, limitPrice, averagePrice, proceeds, fee: bookedAsTaker(taken, 'sell', schedule).fee };
  return {
    sale: { ...names, ...prices, ...boughtFor(order.holding, market, bounds, sellSize) },
    stays: remarks(prices, { wanted, market }, bounds),
  };
}

/** Why an order at the custom price cannot wait in the book: a phrase, or null. */
function waitingRefusal({ market, bids }: SaleMarket, { asked, lowest }: SaleBounds): string | null {
  const size = roundSharesDown(asked, market.sizeStep);
  const best = bids[0];
  if (best !== undefined && best.price >= lowest)
    return `a bid of ${priceToText(best.price)} reaches ${priceToText(lowest)} now: sell at once instead`;
  if (size === 0) return `${sharesToText(asked)} shares are less than the venue trades`;
  if (size >= market.minOrderSize) return null;
  return `${sharesToText(size)} shares are fewer than the ${sharesToText(market.minOrderSize)} of an order that waits`;
}

/** Plans a resting sale of all shares at its own price, with the maker's fee. */
function saleInTheBook(order: SellableOrder, { market, schedule }: SaleMarket, bounds: SaleBounds) {
  const { asked, lowest, terms } = bounds;
  const { orderId, leg, marketId, tokenId, outcome } = order;
  const sellSize = roundSharesDown(asked, market.sizeStep);
  const match = { size: sellSize, price: lowest };
  const fee = bookedAsMaker(match, 'sell', market.makerFeeSchedule ?? schedule).fee;
  return {
    sale: {
      ...{ orderId, leg, marketId, marketName: market.question, tokenId, outcome },
      ...{ sellSize, limitPrice: lowest, averagePrice: lowest, proceeds: notional(sellSize, lowest, 'down'), fee },
      ...boughtFor(order.holding, market, bounds, sellSize),
    },
    stays: terms.customPrice === null ? [] : betweenTwoPrices(terms.customPrice, lowest),
  };
}

/**
 * What the shares cost that are sold. Where the account holds less than was bought, what it holds bears the whole cost,
 * so that no sale shows a profit that the batch does not make.
 */
function boughtFor(
  { cost, buyFees, bought }: Holding,
  { sizeStep }: Market,
  { settled, available }: SaleBounds,
  sellSize: Shares,
) {
  const sellable = roundSharesDown(available, sizeStep);
  const whole = BigInt(bought) * BigInt(sellable);
  const part = BigInt(settled) * BigInt(sellSize);
  const partOf = (amount: Usd) => Number((BigInt(amount) * part + whole - 1n) / whole) as Usd;
  return { originalValue: partOf(cost), buyFees: partOf(buyFees) };
}

type SalePrices = Pick<PlannedSale, 'sellSize' | 'limitPrice'>;

function remarks(
  { sellSize, limitPrice }: SalePrices,
  { wanted, market }: { wanted: Shares; market: Market },
  bounds: SaleBounds,
) {
  const { customPrice, maxDeviation, bestBid: best } = bounds.terms;
  const sentences = customPrice === null ? [] : betweenTwoPrices(customPrice, limitPrice);
  if (sellSize < wanted) sentences.push(`the bids take ${sharesToText(sellSize)} of ${sharesToText(wanted)} shares`);
  const left = roundSharesDown(subtractShares(bounds.available, sellSize), market.sizeStep);
  if (left > 0 && left < market.minOrderSize) sentences.push(leavesTooFew(left, market));
  if (best !== null && limitPrice < mulDiv(best, Math.max(0, FRACTION_ONE - maxDeviation), FRACTION_ONE, 'up'))
    sentences.push(`it may sell down to ${priceToText(limitPrice)}, the best bid is ${priceToText(best)}`);
  return sentences;
}

function betweenTwoPrices(customPrice: Price, used: Price): string[] {
  if (customPrice === used) return [];
  return [`${priceToText(customPrice)} is between two prices of the market, ${priceToText(used)} is used`];
}

function noBuyer(wanted: Shares, bids: readonly Level[], { asked, lowest }: SaleBounds): string {
  if (wanted === 0) return `${sharesToText(asked)} shares are less than the venue trades`;
  const best = bids[0];
  if (best === undefined) return 'there are no bids';
  if (best.price < lowest) return `no bid reaches ${priceToText(lowest)}, the best bid is ${priceToText(best.price)}`;
  return 'the bids take less than the venue trades';
}

/** The venue's minimum holds for orders that rest, not for those that are filled at once. */
function leavesTooFew(left: Shares, { minOrderSize }: Market): string {
  const minimum = sharesToText(minOrderSize);
  return `${sharesToText(left)} shares would be left, fewer than the ${minimum} of a resting order: only bids that are there can take them`;
}

/** The shares of an order that are in no sale yet. */
function ownedOf({ holding: { held }, inSale }: SellableOrder): Shares {
  return subtractShares(held, minShares(inSale, held));
}

/** Owned shares that the venue has not credited yet. */
export function settlingShares(order: SellableOrder): Shares {
  const owned = ownedOf(order);
  return subtractShares(owned, settledOf(order, owned));
}

/** Owned shares that the venue has credited. */
function settledOf({ holding: { credited, sold }, inSale }: SellableOrder, owned: Shares): Shares {
  return minShares(owned, Math.max(0, credited - sold - inSale) as Shares);
}

function stillSettling(shares: Shares): string {
  return `its ${sharesToText(shares)} shares are still being settled and can be sold once the venue has credited them, which takes seconds as a rule`;
}

function partSettling(unsettled: Shares, owned: Shares): string {
  return `${sharesToText(unsettled)} of its ${sharesToText(owned)} shares are still being settled and cannot be sold yet`;
}

/** The steps, in micro-shares, in which shares can be sold at once at a price: they and their dollars must be representable. */
export function saleSizeStep({ sizeStep, saleAmountStep }: Market, limitPrice: Price): number {
  const amountOfStep = (sizeStep * limitPrice) / MICRO;
  for (const steps of [1, 2, 4, 5, 10, 20, 25, 50]) {
    if (Number.isInteger((steps * amountOfStep) / saleAmountStep)) return steps * sizeStep;
  }
  return 100 * sizeStep;
}

function heldLess(available: Shares, owned: Shares): string {
  return `${sharesToText(available)} of its ${sharesToText(owned)} shares are held at the venue`;
}

function tooMany(asked: Shares, available: Shares, unsettled: Shares): string {
  const more = `${sharesToText(asked)} shares are more than the ${sharesToText(available)} that are there to sell`;
  return unsettled === 0 ? more : `${more}, ${sharesToText(unsettled)} are still being settled`;
}

function unsold(sentence: string): { sale: null; stays: string[] } {
  return { sale: null, stays: [sentence] };
}

function wrong(sentence: string): SaleOutcome {
  return { sale: null, stays: [], wrong: [sentence] };
}
