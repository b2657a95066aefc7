import {
  type EventId,
  idAt,
  type MarketId,
  type TokenId,
  type VenueName,
  venueOf,
  withoutVenue,
} from '@dutchbook/units/ids.ts';

const VENUE: VenueName = 'kalshi';

/** Which outcome of a market; a book has bids for both, and no asks. */
export type OutcomeSide = 'yes' | 'no';

/** Letters, digits, dots and hyphens, as the venue has named its markets, events and series so far. */
const TICKER = /^[A-Za-z0-9][A-Za-z0-9.-]{0,149}$/;
const TOKEN = /^(.{1,150}):(yes|no)$/;

export function isTicker(text: string): boolean {
  return TICKER.test(text);
}

export function marketIdOf(ticker: string): MarketId {
  return idAt(VENUE, ticker);
}

export function eventIdOf(ticker: string): EventId {
  return idAt(VENUE, ticker);
}

export function tokenIdOf(ticker: string, side: OutcomeSide): TokenId {
  return idAt(VENUE, `${ticker}:${side}`);
}

/** What the venue calls a market or an event; null of an id that is none of its own. */
export function tickerOf(id: MarketId | EventId): string | null {
  const ticker = withoutVenue(id);
  return venueOf(id) === VENUE && isTicker(ticker) ? ticker : null;
}

/** The market and the outcome that a token stands for; null of an id that is none of its own. */
export function ofToken(tokenId: TokenId): { ticker: string; side: OutcomeSide } | null {
  const [, ticker = '', side] = TOKEN.exec(withoutVenue(tokenId)) ?? [];
  if (venueOf(tokenId) !== VENUE || !isTicker(ticker)) return null;
  return { ticker, side: side === 'yes' ? 'yes' : 'no' };
}
