import type { MarketId } from '@dutchbook/units/ids.ts';
import type { Market, MarketEvent } from '../market/market.ts';
import { type Position, resolvePosition } from './position.ts';
import type { PositionQuote } from './value.ts';

/**
 * Whether the positions lean on an augmented negative-risk event as if its listed outcomes were all there is: in some
 * such event they are on several markets, and would pay less if the unlisted outcome came true than if any of those
 * markets did. YES on every listed market is such a set; NO on several is not, nor is YES with NO of one market.
 * Positions that stand for no token are left out.
 */
export function coversOnlyListed(positions: readonly Position[], markets: ReadonlyMap<MarketId, Market>): boolean {
  return [...augmentedEvents(positions, markets).values()].some(leansOnListed);
}

/** Judges quoted positions by the markets in their quotes. Cheap where no augmented event is involved. */
export function quotesCoverOnlyListed(quotes: readonly PositionQuote[]): boolean {
  if (!quotes.some(({ market }) => market?.event?.augmented)) return false;
  const markets = new Map<MarketId, Market>();
  for (const { market } of quotes) if (market !== undefined) markets.set(market.id, market);
  return coversOnlyListed(quotes, markets);
}

/** Positions in one market, as counts of its first outcome ("Yes") and of the other. */
type MarketStake = { yes: number; no: number };

/** If the unlisted outcome comes true every NO pays; if a market does, its YES do in place of its NO. */
function leansOnListed(stakes: ReadonlyMap<string, MarketStake>): boolean {
  return stakes.size >= 2 && [...stakes.values()].every(({ yes, no }) => yes > no);
}

function augmentedEvents(positions: readonly Position[], markets: ReadonlyMap<MarketId, Market>) {
  const events = new Map<MarketEvent['id'], Map<Market['id'], MarketStake>>();
  for (const position of positions) {
    const market = markets.get(position.marketId);
    if (!market?.event?.augmented) continue;
    const resolved = resolvePosition(position, market);
    if (resolved.kind === 'unresolved') continue;
    const stakes = events.get(market.event.id) ?? new Map<Market['id'], MarketStake>();
    const stake = stakes.get(market.id) ?? { yes: 0, no: 0 };
    stake[resolved.tokenId === market.outcomes[0]?.tokenId ? 'yes' : 'no'] += 1;
    events.set(market.event.id, stakes.set(market.id, stake));
  }
  return events;
}
