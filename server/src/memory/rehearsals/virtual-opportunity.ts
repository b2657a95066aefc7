/** An opportunity on the virtual clock: its quotes by the books of the moment, and how it stands in either run. */

import { midpointOf } from '@dutchbook/engine/desk/quote.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { resolvePosition } from '@dutchbook/engine/opportunity/position.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { JournaledDecision, JournaledOpportunity } from '../../market/decision-journal/journaled.ts';
import type { LiveQuote } from '../../market/markets/live-quotes.ts';
import { bookOf, type VirtualBook, type VirtualBooks } from './virtual-books.ts';
import type { Rise } from './virtual-run.ts';

/** A decision that was really taken, and when. */
export type TakenDecision = JournaledDecision & { at: Instant };

/**
 * `aboveTrigger`: the profit stood at the trigger or above when it was last seen; `isKnown`: that is known, as it is not behind a hole in
 * what was recorded. `rises`: how many there were, decided or not; behind a hole it is the least, until `isCounted`. `waiting`: those
 * that are not decided yet.
 */
export type RunState = { aboveTrigger: boolean; isKnown: boolean; rises: number; isCounted: boolean; waiting: Rise[] };

export type VirtualOpportunity = {
  readonly id: string;
  journaled: JournaledOpportunity;
  /** Those of the last time that `showNow` was called. */
  quotes: LiveQuote[];
  /** In the order of the quotes; null where the token is not known. */
  books: (VirtualBook | null)[];
  /** Of the present settings and of the proposed ones. */
  readonly states: readonly [RunState, RunState];
  /** The last rise by the present settings, and what was really decided on it. */
  lastRise: { at: Instant; decision: TakenDecision | null } | null;
  /** Whether the runs follow it. */
  readonly isIn: [boolean, boolean];
  readonly isFoundAnew: boolean;
};

export function followOpportunity(
  id: string,
  journaled: JournaledOpportunity,
  isFoundAnew = false,
): VirtualOpportunity {
  const state = (): RunState => ({
    aboveTrigger: journaled.aboveTrigger,
    isKnown: true,
    rises: journaled.rises,
    isCounted: true,
    waiting: [],
  });
  return {
    id,
    journaled,
    quotes: [],
    books: [],
    states: [state(), state()],
    lastRise: null,
    isIn: [!isFoundAnew, !isFoundAnew],
    isFoundAnew,
  };
}

/** What has become of it meanwhile is not known. */
export function loseStates({ states }: VirtualOpportunity): void {
  for (const state of states) {
    state.isKnown = false;
    state.isCounted = false;
  }
}

/** Looks its tokens up anew: it, or what is known of its markets, has changed. */
export function resolveQuotes(
  opportunity: VirtualOpportunity,
  markets: ReadonlyMap<string, Market>,
  books: VirtualBooks,
): void {
  opportunity.quotes = opportunity.journaled.positions.map((position) => {
    const market = markets.get(position.marketId);
    const found = market && resolvePosition(position, market);
    const tokenId = found?.kind === 'resolved' ? found.tokenId : null;
    const nothing = { whyLeftOut: null, book: undefined, midpoint: null, lastTrade: null, bookAgeMs: null };
    return { ...position, tokenId, market, ...nothing, feed: 'none' };
  });
  opportunity.books = opportunity.quotes.map(({ tokenId }) => (tokenId === null ? null : books.of(tokenId)));
}

/** Brings the quotes up to the books of now. What was last traded is not recorded. */
export function showNow({ quotes, books }: VirtualOpportunity, withMidpoints: boolean): void {
  for (let place = 0; place < quotes.length; place += 1) {
    const quote = quotes[place];
    const held = books[place];
    if (quote === undefined || held === undefined || held === null) continue;
    quote.book = bookOf(held);
    quote.feed = quote.book === undefined ? 'none' : held.trust;
    quote.bookAgeMs = quote.book === undefined ? null : 0;
    if (withMidpoints) quote.midpoint = midpointOf(quote.book);
  }
}
