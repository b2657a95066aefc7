import { hash } from 'node:crypto';
import { microToText } from '@dutchbook/units/micro.ts';
import { addPrices, PRICE_ONE, PRICE_ZERO, type Price, priceToText, tickToText } from '@dutchbook/units/price.ts';
import { type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import { type BookSide, type OutcomeIndex, oppositeSide, unifiedPrice } from '../../matching/order.ts';
import type { Market } from '../../matching-engine/market.ts';

export interface WireLevel {
  readonly price: string;
  readonly size: string;
}

/** A token's own view of one side of the unified book, best price first. */
function tokenLevels(market: Market, outcome: OutcomeIndex, side: BookSide): { price: Price; size: Shares }[] {
  const unifiedSide = outcome === 0 ? side : oppositeSide(side);
  return market.book.sizes(unifiedSide).map((level) => ({
    price: unifiedPrice(level.price, outcome),
    size: level.total,
  }));
}

export function bestPrice(market: Market, outcome: OutcomeIndex, side: BookSide): Price | undefined {
  const best = market.book.best(outcome === 0 ? side : oppositeSide(side));
  return best === undefined ? undefined : unifiedPrice(best, outcome);
}

/** The middle between best bid and best ask; undefined while one of them is missing. */
export function midpoint(market: Market, outcome: OutcomeIndex): string | undefined {
  const bid = bestPrice(market, outcome, 'bid');
  const ask = bestPrice(market, outcome, 'ask');
  return bid === undefined || ask === undefined ? undefined : microToText(addPrices(bid, ask) / 2);
}

/** A token's last trade price: a trade of the other token counts at its complement. */
export function lastTradePrice(market: Market, outcome: OutcomeIndex): string {
  const last = market.lastTrade;
  if (last === undefined) return '';
  return priceToText(last.outcome === outcome ? last.price : ((PRICE_ONE - last.price) as Price));
}

/** An equality token for the book's present state, the same over REST and on the stream. */
export function bookHash(market: Market, outcome: OutcomeIndex): string {
  return hash('sha1', `${market.tokens[outcome]}/${market.bookRevision}`);
}

/** A whole book as REST and the stream send it: bids ascending, asks descending, the best last in both. */
export function wireBook(market: Market, outcome: OutcomeIndex) {
  return {
    market: market.listing.conditionId,
    asset_id: market.tokens[outcome],
    timestamp: String(market.bookAt),
    hash: bookHash(market, outcome),
    bids: wireLevels(tokenLevels(market, outcome, 'bid')),
    asks: wireLevels(tokenLevels(market, outcome, 'ask')),
    min_order_size: sharesToText(market.listing.minSize),
    tick_size: tickToText(market.tick),
    neg_risk: market.listing.negRisk,
    last_trade_price: lastTradePrice(market, outcome),
  };
}

/** The ghost that a stale book cache serves: nothing but the ends of the price range. */
export function ghostBook(market: Market, outcome: OutcomeIndex) {
  const size = '100';
  return {
    ...wireBook(market, outcome),
    bids: [{ price: tickToText(market.tick), size }],
    asks: [{ price: microToText(PRICE_ONE - market.tick), size }],
  };
}

/** `""` on the wire where there is no price. */
export function priceText(price: Price | undefined): string {
  return price === undefined ? '' : priceToText(price);
}

/** The stream states an empty side as the end of the price range that it stands at. */
export function bestOnStream(market: Market, outcome: OutcomeIndex, side: BookSide): string {
  return priceToText(bestPrice(market, outcome, side) ?? (side === 'bid' ? PRICE_ZERO : PRICE_ONE));
}

function wireLevels(levels: readonly { price: Price; size: Shares }[]): WireLevel[] {
  return levels.map((level) => ({ price: priceToText(level.price), size: sharesToText(level.size) })).reverse();
}
