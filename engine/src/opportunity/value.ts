/** What an opportunity is worth now: the cost of one set against what the set pays. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import { MICRO } from '@dutchbook/units/micro.ts';
import { type Percent, percentOf } from '@dutchbook/units/percent.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import { ONE_SHARE } from '@dutchbook/units/shares.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { type Book, bestAsk, levelsOf } from '../book/book.ts';
import { depthUsd, priceAtNotional } from '../book/walk.ts';
import type { Market } from '../market/market.ts';
import { takerFee } from './fee.ts';
import { namePosition, type Position, resolvePosition } from './position.ts';

/** The settings of the same names in capitals; the threshold is ORDER_BOOK_CUMULATIVE_THRESHOLD_USD. */
export type PricingSettings = { useOrderBookPrices: boolean; useCumulativePricing: boolean; cumulativeThreshold: Usd };

/** A position with all that is known of its market and prices; undefined or null where nothing is. */
export type PositionQuote = Position & {
  tokenId: TokenId | null;
  market: Market | undefined;
  /** Why the market is not known although the venue has it. */
  whyLeftOut?: string | null;
  book: Book | undefined;
  midpoint: Price | null;
  lastTrade: Price | null;
};

/** `price` is that of one share, `fee` the taker fee on it. */
export type PositionValue = { leg: number; price: Price; fee: Usd };

/**
 * `positions` are in the order of the quotes. `currentPrice` and `feesPerSet` are their sums, `profitPct` is rounded
 * down. `reason` is a sentence that names the first position without a price and says why it has none.
 */
export type OpportunityValue =
  | { kind: 'valued'; currentPrice: Price; feesPerSet: Usd; profitPct: Percent; positions: PositionValue[] }
  | { kind: 'unpriced'; reason: string };

/** Prices one set, which pays `targetPrice`, and its profit after fees. */
export function valueOpportunity(
  quotes: readonly PositionQuote[],
  targetPrice: Price,
  settings: PricingSettings,
): OpportunityValue {
  const positions: PositionValue[] = [];
  let prices = 0;
  let fees = 0;
  for (const quote of quotes) {
    const value = valuePosition(quote, settings);
    if (typeof value === 'string') return { kind: 'unpriced', reason: value };
    positions.push(value);
    prices += value.price;
    fees += value.fee;
  }
  const cost = (prices + fees) as Usd;
  if (cost === 0) return { kind: 'unpriced', reason: 'A set without a price has no profit' };
  const profitPct = netProfitPct(targetPrice, cost);
  return { kind: 'valued', currentPrice: prices as Price, feesPerSet: fees as Usd, profitPct, positions };
}

/** Beyond this a profit says only that the price is no price: a set for next to nothing. */
const PROFIT_TIMES_MAX = 1_000_000;

/**
 * What one set leaves of its target price, in percent of its cost with fees, which is above zero; rounded down, and a
 * million times the cost at most, so that every column and client can hold it.
 */
export function netProfitPct(targetPrice: Price, cost: Usd): Percent {
  const most = cost * PROFIT_TIMES_MAX;
  if (Number.isSafeInteger(most) && targetPrice - cost >= most) return (PROFIT_TIMES_MAX * 100 * MICRO) as Percent;
  return percentOf((targetPrice - cost) as Usd, cost, 'down');
}

/** Whether an opportunity of this profit calls for a notification and an automatic order. */
export function isTriggered(active: boolean, profitPct: Percent | null, thresholdPct: Percent): boolean {
  return active && profitPct !== null && profitPct >= thresholdPct;
}

/** Whether a trigger has just come on: it acts then, and not again before it has gone off. */
export function risingEdge(before: boolean, after: boolean): boolean {
  return after && !before;
}

/** The value of one position, or the sentence that says why it has none. */
function valuePosition(quote: PositionQuote, settings: PricingSettings): PositionValue | string {
  const { market } = quote;
  if (market === undefined || quote.tokenId === null) {
    const resolved = resolvePosition(quote, market, quote.whyLeftOut);
    return resolved.kind === 'unresolved' ? resolved.reason : `${namePosition(quote, market)}: its token is not known`;
  }
  const price = market.closed ? whyClosed(quote) : priceOf(quote, settings);
  if (typeof price === 'string') return `${namePosition(quote, market)}: ${price}`;
  if (market.feeSchedule === null) return `${namePosition(quote, market)}: the venue does not say what fee it takes`;
  return { leg: quote.leg, price, fee: takerFee(ONE_SHARE, price, market.feeSchedule) };
}

/** What a share of its outcome pays, of a market that has resolved; null while that is not known, or may still be changed. */
export function resolvedValueOf({ market, outcome }: Pick<PositionQuote, 'market' | 'outcome'>): Price | null {
  if (market?.isProvisional === true) return null;
  return market?.outcomes.find((each) => each.outcome === outcome)?.resolvedValue ?? null;
}

function whyClosed(quote: PositionQuote): string {
  const value = resolvedValueOf(quote);
  return value === null ? 'the market is closed' : `the market has resolved, a share pays $${formatPrice(value)}`;
}

/** What a share costs by its order book alone; null where too little is on offer. */
export function priceInBook(book: Book, settings: PricingSettings): Price | null {
  const { useCumulativePricing, cumulativeThreshold } = settings;
  return useCumulativePricing ? priceAtNotional(levelsOf(book, 'sell'), cumulativeThreshold) : bestAsk(book);
}

function priceOf(quote: PositionQuote, settings: PricingSettings): Price | string {
  if (!settings.useOrderBookPrices) {
    return quote.midpoint ?? quote.lastTrade ?? 'there is neither a midpoint nor a last trade';
  }
  if (quote.book === undefined) return 'there is no order book';
  const price = priceInBook(quote.book, settings);
  if (price !== null) return price;
  const { useCumulativePricing, cumulativeThreshold } = settings;
  if (!useCumulativePricing) return 'no shares are on offer';
  const offered = formatUsd(depthUsd(quote.book.asks));
  return `not enough depth, ${offered} on offer of the ${formatUsd(cumulativeThreshold)} that pricing looks at`;
}
