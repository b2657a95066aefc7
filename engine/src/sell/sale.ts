/** What selling the shares of one order would send and bring now. */
import { FRACTION_ONE, type Fraction } from '@dutchbook/units/fraction.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { complement, type Price, priceToText, roundToTick } from '@dutchbook/units/price.ts';
import { minShares, roundSharesDown, type Shares, sharesToText, subtractShares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Holding } from '../batch/holding.ts';
import type { Level } from '../book/level.ts';
import { takeLevels, totalSize, walkBook } from '../book/walk.ts';
import type { Market } from '../market/market.ts';
import { takerFeeOfLevels } from '../opportunity/fee.ts';
import { namePosition } from '../opportunity/position.ts';
import { SIZE_STEP } from '../order/plan.ts';

/** A batch order whose shares may be sold. */
export type SellableOrder = {
  orderId: string;
  leg: number;
  marketId: string;
  outcome: string;
  tokenId: string;
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
 * One fill-and-kill order: for `sellSize` shares, at no less than `limitPrice`. What the bids of now pay for it is before
 * fees and rounded down, what its shares cost is rounded up.
 */
export type PlannedSale = {
  orderId: string;
  leg: number;
  marketId: string;
  marketName: string;
  tokenId: string;
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

/** What is free to sell at this moment, over all orders: `held` is null where the venue has not said. */
export type SaleTerms = {
  held: Shares | null;
  bids: readonly Level[] | null;
  customPrice: Price | null;
  maxDeviation: Fraction;
};

/** Plans the sale of one order's shares, or says why there is none. An order that holds nothing has nothing to say. */
export function planSaleOfOrder(order: SellableOrder, terms: SaleTerms): SaleOutcome {
  const owned = subtractShares(order.holding.held, minShares(order.inSale, order.holding.held));
  const name = namePosition(order, order.market);
  if (owned === 0) return order.wanted === null ? NOTHING : wrong(`${name}: none of its shares are there to sell`);
  // Neither books nor fees are told of such a market, and the rest can be sold without it.
  if (order.market && !takesOrders(order.market)) {
    return { ...unsold(`${name}: the market takes no orders`), wrong: [] };
  }
  const facts = knownFacts(order, terms);
  if (typeof facts === 'string') return wrong(`${name}: ${facts}`);
  const available = minShares(owned, facts.held);
  const asked = order.wanted ?? available;
  if (asked > available) return wrong(`${name}: ${tooMany(asked, available)}`);
  const lowest = lowestPrice(facts.market, terms.customPrice);
  if (typeof lowest === 'string') return wrong(`${name}: ${lowest}`);

  const { sale, stays } = saleDownTheBids(order, facts, { owned, available, asked, lowest, terms });
  const missing = available < owned ? [heldLess(available, owned)] : [];
  return { sale, stays: [...missing, ...stays].map((sentence) => `${name}: ${sentence}`), wrong: [] };
}

const NOTHING: SaleOutcome = { sale: null, stays: [], wrong: [] };

function takesOrders({ closed, acceptingOrders }: Market): boolean {
  return !closed && acceptingOrders;
}

type KnownFacts = { market: Market; feeRate: Fraction; bids: readonly Level[]; held: Shares };

/** Everything a sale is decided on, or what of it is not known. */
function knownFacts({ market }: SellableOrder, { held, bids }: SaleTerms): KnownFacts | string {
  if (market === undefined) return 'the venue does not know this market';
  if (market.feeRate === null) return 'the venue does not say what fee it takes';
  if (held === null) return 'the venue has not said how many shares are held';
  if (bids === null) return 'there is no order book to be trusted';
  return { market, feeRate: market.feeRate, bids, held };
}

/** The price to sell at and not below, on the market's grid; or why the custom price is none. */
function lowestPrice({ tick }: Market, customPrice: Price | null): Price | string {
  const smallest = tick as number as Price;
  if (customPrice === null) return smallest;
  const price = roundToTick(customPrice, tick, 'up');
  const largest = roundToTick(complement(smallest), tick, 'down');
  if (customPrice > 0 && price <= largest) return price;
  return `${priceToText(customPrice)} is no price, the market takes ${priceToText(smallest)} to ${priceToText(largest)}`;
}

type SaleBounds = { owned: Shares; available: Shares; asked: Shares; lowest: Price; terms: SaleTerms };

function saleDownTheBids(order: SellableOrder, facts: KnownFacts, bounds: SaleBounds) {
  const { market, bids, feeRate } = facts;
  const { customPrice } = bounds.terms;
  const wanted = roundSharesDown(bounds.asked, SIZE_STEP);
  const within = bids.filter(({ price }) => price >= bounds.lowest);
  const sellSize = roundSharesDown(minShares(wanted, totalSize(within)), SIZE_STEP);
  const taken = takeLevels(within, sellSize);
  const { cost: proceeds, worstPrice, averagePrice } = walkBook(taken, sellSize, 'sell');
  if (worstPrice === null || averagePrice === null) return unsold(noBuyer(wanted, bids, bounds));
  if (sellSize < market.minOrderSize) return unsold(belowMinimum(sellSize, market));

  const limitPrice = customPrice === null ? roundToTick(worstPrice, market.tick, 'down') : bounds.lowest;
  const { orderId, leg, marketId, tokenId, outcome } = order;
  const names = { orderId, leg, marketId, marketName: market.question, tokenId, outcome };
  const prices = { sellSize, limitPrice, averagePrice, proceeds, fee: takerFeeOfLevels(taken, feeRate) };
  return {
    sale: { ...names, ...prices, ...boughtFor(order.holding, bounds, sellSize) },
    stays: remarks(prices, wanted, bids, bounds),
  };
}

/**
 * What the shares cost that are sold. Where the account holds less than was bought, what it holds bears the whole cost,
 * so that no sale shows a profit that the batch does not make.
 */
function boughtFor({ cost, buyFees, bought }: Holding, { owned, available }: SaleBounds, sellSize: Shares) {
  const sellable = roundSharesDown(available, SIZE_STEP);
  const partOf = (amount: Usd) => mulDiv(mulDiv(amount, owned, bought, 'up'), sellSize, sellable, 'up') as Usd;
  return { originalValue: partOf(cost), buyFees: partOf(buyFees) };
}

type SalePrices = Pick<PlannedSale, 'sellSize' | 'limitPrice'>;

function remarks({ sellSize, limitPrice }: SalePrices, wanted: Shares, bids: readonly Level[], bounds: SaleBounds) {
  const { customPrice, maxDeviation } = bounds.terms;
  const best = bids[0]?.price ?? limitPrice;
  const tolerated = mulDiv(best, Math.max(0, FRACTION_ONE - maxDeviation), FRACTION_ONE, 'up');
  const sentences: string[] = [];
  if (customPrice !== null && customPrice !== limitPrice)
    sentences.push(
      `${priceToText(customPrice)} is between two prices of the market, ${priceToText(limitPrice)} is used`,
    );
  if (sellSize < wanted) sentences.push(`the bids take ${sharesToText(sellSize)} of ${sharesToText(wanted)} shares`);
  if (limitPrice < tolerated)
    sentences.push(`it may sell down to ${priceToText(limitPrice)}, the best bid is ${priceToText(best)}`);
  return sentences;
}

function noBuyer(wanted: Shares, bids: readonly Level[], { asked, lowest }: SaleBounds): string {
  if (wanted === 0) return `${sharesToText(asked)} shares are less than the venue trades`;
  const best = bids[0];
  if (best === undefined) return 'nobody bids';
  if (best.price < lowest) return `nobody bids ${priceToText(lowest)}, the best bid is ${priceToText(best.price)}`;
  return 'the bids take less than the venue trades';
}

function belowMinimum(size: Shares, { minOrderSize }: Market): string {
  return `${sharesToText(size)} shares could be sold, the venue takes no less than ${sharesToText(minOrderSize)}`;
}

function heldLess(available: Shares, owned: Shares): string {
  return `${sharesToText(available)} of its ${sharesToText(owned)} shares are held at the venue`;
}

function tooMany(asked: Shares, available: Shares): string {
  return `${sharesToText(asked)} shares are more than the ${sharesToText(available)} that are there to sell`;
}

function unsold(sentence: string): { sale: null; stays: string[] } {
  return { sale: null, stays: [sentence] };
}

function wrong(sentence: string): SaleOutcome {
  return { sale: null, stays: [], wrong: [sentence] };
}
