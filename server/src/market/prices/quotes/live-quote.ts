import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { LiveQuote } from '../../markets/live-quotes.ts';
import type { HeldBook } from './books.ts';

export type KnownOfPosition = {
  tokenId: TokenId | null;
  /** null: the venue does not know the market; undefined: it was not asked. */
  market: Market | null | undefined;
  whyLeftOut: string | null;
  held: HeldBook | undefined;
  midpoint: Price | null;
  lastTrade: Price | null;
};

export function liveQuote({ leg, marketId, outcome }: Position, known: KnownOfPosition): LiveQuote {
  return {
    leg,
    marketId,
    outcome,
    tokenId: known.tokenId,
    market: known.market ?? undefined,
    whyLeftOut: known.whyLeftOut,
    book: known.held?.book,
    midpoint: known.midpoint,
    lastTrade: known.lastTrade,
    feed: known.held?.feed ?? 'none',
    bookAgeMs: known.held?.ageMs ?? null,
  };
}
