/** A small market scene: opportunities over a few of the exchange's markets, and their books as a story needs them. */

import type { MarketCombinations } from '@dutchbook/contract/opportunities.ts';
import { bestPrice } from '@dutchbook/exchange/adapters/polymarket/book-shape.ts';
import type { Random } from '@dutchbook/exchange/makers/random.ts';
import { bookSideOf, oppositeSide, unifiedPrice } from '@dutchbook/exchange/matching/order.ts';
import type { Quote } from '@dutchbook/exchange/matching/quotes.ts';
import type { Market } from '@dutchbook/exchange/matching-engine/market.ts';
import type { OpenExchange } from '@dutchbook/exchange/start-exchange.ts';
import { idAt, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { engineOf, restingAt } from './venues/second-venue.ts';

/** One position of an opportunity: an outcome of a market. `tokenId`: what the product calls it. */
export type Leg = { market: Market; outcome: 0 | 1; tokenId: string };

/** `pays`: dollars that a set is worth at its end; one where it is left out. */
export type Opportunity = { legs: Leg[]; pays?: number };

/** Prices that the product buys at by its settings, with room for the fee. */
const LOWEST = 110_000;
const HIGHEST = 850_000;
const SHARE = 1_000_000;

export function chooseOpportunities(exchange: OpenExchange, random: Random): Opportunity[] {
  return drawOpportunities(
    exchange.engine.directory
      .all()
      .filter(({ isAccepting }) => isAccepting)
      .map((market) => ({ market, venue: 'polymarket' })),
    random,
  );
}

/** `venue`: at which it is traded. */
type Listed = { market: Market; venue: VenueName };

/** Of markets of one venue or several, each in one of them. */
export function drawOpportunities(markets: Listed[], random: Random): Opportunity[] {
  const take = () => markets.splice(random.between(0, markets.length - 1), 1)[0] as Listed;
  return Array.from({ length: random.between(1, 2) }, () => ({
    legs: Array.from({ length: random.between(2, 4) }, () => {
      const { market, venue } = take();
      const outcome = random.unit() < 0.7 ? 0 : 1;
      return { market, outcome, tokenId: idAt(venue, market.tokens[outcome]) };
    }),
  }));
}

export function combinationsOf({ legs }: Opportunity): MarketCombinations {
  return legs.map(({ market, outcome, tokenId }, index) => ({
    leg: index + 1,
    markets: [{ id: idAt(venueOf(tokenId), market.listing.conditionId), outcome: market.listing.outcomes[outcome] }],
  }));
}

/**
 * Quotes every leg so that a set costs about `sum` dollars, and as many more as it pays beyond one; `depth` shares at the best
 * price of each.
 */
export function quoteSet(
  exchange: OpenExchange,
  { legs, pays = 1 }: Opportunity,
  sum: number,
  depth: () => number,
  random: Random,
): void {
  const weights = legs.map(() => 1 + random.unit());
  const total = weights.reduce((all, one) => all + one, 0);
  legs.forEach((leg, index) => {
    const part = (weights[index] ?? 1) / total;
    // Where a set pays several dollars a leg costs nearly one: what it lacks is drawn then.
    const wanted = 1e6 * (pays === 1 ? sum * part : 1 - (legs.length - (pays - 1) - sum) * part);
    quoteLeg(exchange, leg, Math.min(HIGHEST, Math.max(LOWEST, wanted)), depth());
  });
}

/** Two levels on each side of a leg's book, in the leg's own prices. */
function quoteLeg(exchange: OpenExchange, { market, outcome, tokenId }: Leg, ask: number, depth: number): void {
  // One that has resolved is quoted no more.
  if (!market.isAccepting) return;
  const { tick } = market;
  const best = Math.round(ask / tick) * tick;
  const size = Math.max(1, depth) * SHARE;
  const quote = (side: 'BUY' | 'SELL', price: number, shares: number): Quote => ({
    side: bookSideOf(side, outcome),
    price: unifiedPrice(price as Price, outcome),
    size: shares as Shares,
  });
  engineOf(exchange, tokenId).replaceBook(market, [
    quote('SELL', best, size),
    quote('SELL', best + tick, 3 * size),
    quote('BUY', best - 2 * tick, 5 * size),
    quote('BUY', best - 3 * tick, 20 * size),
  ]);
}

/** Another account takes what rests: quotes that cross every standing order of ours at its own price. */
export function fillResting(exchange: OpenExchange, share: number): void {
  for (const { engine, order } of restingAt(exchange)) {
    const market = engine.directory.market(order.conditionId);
    if (market === undefined) continue;
    const left = order.originalShares - order.matchedShares;
    const size = Math.max(10_000, Math.floor((left * share) / 10_000) * 10_000);
    const side = oppositeSide(bookSideOf(order.side, order.outcome));
    engine.setQuotes(market, [{ side, price: unifiedPrice(order.limit, order.outcome), size: size as Shares }]);
  }
}

/** The best offers of the past, for asking whether a price was ever true. */
export type AskHistory = {
  lowestSince: (tokenId: string, from: number, to: number) => number;
  /** What stands against a token in its market. */
  otherOf: (tokenId: string) => string;
};

export function recordAsks(exchange: OpenExchange, legs: readonly Leg[], now: () => number): AskHistory {
  const asks = new Map<string, { at: number; ask: number }[]>();
  const note = (market: Market) => {
    for (const leg of legs) {
      if (leg.market !== market) continue;
      const ask = bestPrice(market, leg.outcome, 'ask') ?? Number.POSITIVE_INFINITY;
      const past = asks.get(leg.tokenId) ?? [];
      past.push({ at: now(), ask });
      asks.set(leg.tokenId, past);
    }
  };
  // Orders are also filled from books that have not changed since before `listen` below.
  for (const { market } of legs) note(market);
  const engines = new Set(legs.map(({ tokenId }) => engineOf(exchange, tokenId)));
  for (const { announcer } of engines) announcer.listen({ levelsChanged: note, bookReplaced: note });
  return {
    otherOf: (tokenId) => {
      const pair = legs.find(({ market }) => market.tokens.includes(tokenId))?.market.tokens ?? [];
      return pair.find((token) => token !== tokenId) ?? '';
    },
    lowestSince: (tokenId, from, to) => {
      const past = asks.get(tokenId) ?? [];
      const within = past.filter(
        ({ at }, index) => at <= to && (past[index + 1]?.at ?? Number.POSITIVE_INFINITY) >= from,
      );
      return Math.min(Number.POSITIVE_INFINITY, ...within.map(({ ask }) => ask));
    },
  };
}
