import type { Fraction } from '@dutchbook/units/fraction.ts';
import { complement, type Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares, subtractShares } from '@dutchbook/units/shares.ts';
import type { Balances } from './balances.ts';
import { type BookedFill, type MatchedMarket, placeOrder, TouchedLevels } from './matcher.ts';
import { type BookSide, type LevelChange, MARKET_MAKER, type RestingOrder, unifiedPrice } from './order.ts';

/** The market makers' size at one price of the unified book. */
export interface Quote {
  readonly side: BookSide;
  readonly price: Price;
  readonly size: Shares;
}

/** The result of a quote: fills of users' resting orders that it crossed, and the changed levels. */
export interface QuoteResult {
  readonly orderId: string;
  readonly fills: readonly BookedFill[];
  readonly changes: readonly LevelChange[];
}

/**
 * Sets the makers' size at one price, replacing what they showed there before. A quote that crosses users' standing
 * orders trades with them first; makers never trade with each other, so a recorded book may be crossed for a moment.
 * Bids are bought in the first outcome, asks in the second: the makers need money only.
 */
export function setQuote(market: MatchedMarket, balances: Balances, quote: Quote, orderId: string): QuoteResult {
  const touched = new TouchedLevels(market.book);
  touched.note(quote.side, quote.price);
  const standing = quoteAt(market, quote.side, quote.price);
  if (standing !== undefined) {
    if (quote.size > 0 && standing.remaining > quote.size) {
      market.book.reduce(standing, subtractShares(standing.remaining, quote.size));
      return { orderId, fills: [], changes: touched.changes() };
    }
    market.book.remove(standing);
  }
  if (quote.size === 0) return { orderId, fills: [], changes: touched.changes() };
  const outcome = quote.side === 'bid' ? 0 : 1;
  const placed = placeOrder(market, balances, {
    id: orderId,
    account: MARKET_MAKER,
    side: 'BUY',
    outcome,
    limit: outcome === 0 ? quote.price : complement(quote.price),
    quantity: { kind: 'shares', shares: quote.size },
    remainder: 'rests',
    postOnly: false,
    takerFeeRate: 0 as Fraction,
  });
  if (placed.kind === 'refused') throw new Error(`a quote of the makers was refused: ${placed.reason}`);
  const filledPrices = placed.changes.filter((change) => change.side !== quote.side || change.price !== quote.price);
  return { orderId, fills: placed.fills, changes: [...touched.changes(), ...filledPrices] };
}

/** Everything the makers show in a market now. */
function standingQuotes(market: MatchedMarket): Quote[] {
  const quotes: Quote[] = [];
  for (const side of ['bid', 'ask'] as const) {
    for (const level of market.book.levels(side)) {
      const size = level.orders.reduce(
        (sum, order) => (order.account === MARKET_MAKER ? sum + order.remaining : sum),
        0,
      );
      if (size > 0) quotes.push({ side, price: level.price, size: size as Shares });
    }
  }
  return quotes;
}

/** The quotes to set so that the makers show exactly `wanted`: emptied levels first, so nothing crosses on the way. */
export function quoteDifference(market: MatchedMarket, wanted: readonly Quote[]): Quote[] {
  const shown = new Map(standingQuotes(market).map((quote) => [keyOf(quote), quote]));
  const keep = new Map(wanted.map((quote) => [keyOf(quote), quote]));
  const emptied = [...shown.values()].filter((quote) => !keep.has(keyOf(quote)));
  const changed = [...keep.values()].filter((quote) => shown.get(keyOf(quote))?.size !== quote.size);
  return [...emptied.map((quote) => ({ ...quote, size: SHARES_ZERO })), ...changed];
}

function quoteAt(market: MatchedMarket, side: BookSide, price: Price): RestingOrder | undefined {
  return market.book
    .levels(side)
    .find((level) => level.price === price)
    ?.orders.find((order) => order.account === MARKET_MAKER && unifiedPrice(order.limit, order.outcome) === price);
}

function keyOf(quote: Quote): string {
  return `${quote.side}${quote.price}`;
}
